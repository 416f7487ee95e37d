// A spin lock of std::atomic_flag, taken and given back by std::lock_guard.
//
// Taking it acquires, giving it back releases: what one thread does under the lock, the next one
// sees. With RELAXED only mutual exclusion is left, and the counter is a data race.
//@ expect rc20: HOLDS 2 traces, sc: HOLDS 2 traces
//@ unroll 3

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef RELAXED
constexpr auto give_back = std::memory_order_relaxed;
#else
constexpr auto give_back = std::memory_order_release;
#endif

class SpinLock {
public:
  void lock() {
    while (taken.test_and_set(std::memory_order_acquire))
      ;
  }
  void unlock() { taken.clear(give_back); }

private:
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
};

int main() {
  SpinLock spin;
  int counter = 0; // not atomic: the lock protects it
  auto count = [&] {
    std::lock_guard guard(spin);
    counter++;
  };
  std::thread a(count), b(count);
  a.join();
  b.join();
  assert(counter == 2);
}
