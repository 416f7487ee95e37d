// What programs in C++ are made of, one program for each function. test_cxx.py takes one after the
// other for main.
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#define PROGRAM(name) extern "C" int name()

namespace {

int data, other;
std::atomic<int> flag{0}, sum{0};
std::mutex m, n;
std::recursive_mutex again;
std::shared_mutex readers;
std::condition_variable condition;
std::once_flag once;
bool ready;

template <class F, class G> void two(F f, G g) {
  std::thread a(f), b(g);
  a.join();
  b.join();
}

template <class F> void twice(F f) { two(f, f); }

void publish(std::memory_order order) {
  data = 1;
  flag.store(1, order);
}

void consume(std::memory_order order) {
  if (flag.load(order))
    assert(data == 1);
}

} // namespace

// ---- atomics

PROGRAM(passing) {
  std::thread a(publish, std::memory_order_release);
  std::thread b(consume, std::memory_order_acquire);
  a.join();
  b.join();
  return 0;
}

PROGRAM(passing_relaxed) {
  std::thread a(publish, std::memory_order_relaxed);
  std::thread b(consume, std::memory_order_relaxed);
  a.join();
  b.join();
  return 0;
}

PROGRAM(buffering) {
  static std::atomic<int> x{0}, y{0};
  static int r, s;
  two(
      [] {
        x.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        r = y.load(std::memory_order_relaxed);
      },
      [] {
        y.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        s = x.load(std::memory_order_relaxed);
      });
  assert(r || s);
  return 0;
}

PROGRAM(exchange) {
  std::atomic<int *> box{nullptr};
  two([&] { box.store(new int(5), std::memory_order_release); },
      [&] {
        if (int *got = box.exchange(nullptr, std::memory_order_acquire)) {
          assert(*got == 5);
          delete got;
        }
      });
  delete box.load();
  return 0;
}

// ---- threads

PROGRAM(captures) {
  int x = 0, y = 5;
  std::mutex lock;
  std::thread a([&] {
    std::lock_guard guard(lock);
    x += y;
  });
  std::thread b([&, y] {
    std::lock_guard guard(lock);
    x += y;
  });
  a.join();
  b.join();
  assert(x == 10);
  return 0;
}

PROGRAM(array_of_threads) {
  std::atomic<int> total{0};
  std::array<std::thread, 3> all;
  for (int i = 0; i < 3; i++)
    all[i] = std::thread([&total, i] { total.fetch_add(i, std::memory_order_relaxed); });
  for (auto &each : all)
    each.join();
  assert(total == 3);
  return 0;
}

PROGRAM(vector_of_threads) {
  std::atomic<int> total{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 3; i++)
    all.emplace_back([&total, i] { total.fetch_add(i, std::memory_order_relaxed); });
  for (auto &each : all)
    each.join();
  assert(total == 3);
  return 0;
}

namespace {
struct Worker {
  std::atomic<int> done{0};
  void run(int k) { done += k; }
};
void put(int from, int &to) { to = from; }
} // namespace

PROGRAM(arguments) {
  int k = 0;
  std::thread a(put, 3, std::ref(k));
  a.join();
  assert(k == 3);
  Worker worker;
  std::thread b(&Worker::run, &worker, 2), c(&Worker::run, &worker, 3);
  b.join();
  c.join();
  assert(worker.done == 5);
  return 0;
}

PROGRAM(ids) {
  auto me = std::this_thread::get_id();
  std::thread a([me] { assert(std::this_thread::get_id() != me); });
  assert(a.joinable() && a.get_id() != me);
  a.join();
  assert(!a.joinable() && a.get_id() == std::thread::id());
  std::thread b([] { sum++; });
  b.detach();
  assert(!b.joinable());
  return 0;
}

PROGRAM(never_joined) {
  std::thread a([] {});
  return 0;
}

PROGRAM(joined_twice) {
  std::thread a([] {});
  a.join();
  a.join();
  return 0;
}

PROGRAM(joining_threads) {
  {
    std::jthread a([] { sum++; });
    std::jthread b([] { sum++; });
  }
  assert(sum == 2);
  return 0;
}

// ---- locks

PROGRAM(counter) {
  twice([] {
    std::lock_guard<std::mutex> guard(m);
    data++;
  });
  assert(data == 2);
  return 0;
}

PROGRAM(counter_unlocked) {
  twice([] { data++; });
  return 0;
}

PROGRAM(unique_locks) {
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        data++;
        lock.unlock();
        lock.lock();
        data++;
      },
      [] {
        std::scoped_lock lock(m);
        data++;
      });
  assert(data == 3);
  return 0;
}

PROGRAM(trying) {
  twice([] {
    if (m.try_lock()) {
      data++;
      m.unlock();
      sum++;
    }
  });
  assert(data == sum && sum >= 1);
  return 0;
}

PROGRAM(recursive) {
  twice([] {
    std::lock_guard outer(again);
    std::lock_guard inner(again);
    data++;
  });
  assert(data == 2);
  return 0;
}

PROGRAM(deadlock) {
  two(
      [] {
        std::lock_guard first(m);
        std::lock_guard second(n);
      },
      [] {
        std::lock_guard first(n);
        std::lock_guard second(m);
      });
  return 0;
}

PROGRAM(not_locked) {
  twice([] { m.unlock(); });
  return 0;
}

PROGRAM(shared_locks) {
  two(
      [] {
        std::unique_lock lock(readers);
        data++;
        other++;
      },
      [] {
        std::shared_lock lock(readers);
        assert(data == other);
      });
  return 0;
}

PROGRAM(waiting) {
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        condition.wait(lock, [] { return ready; });
        assert(data == 7);
      },
      [] {
        {
          std::lock_guard<std::mutex> guard(m);
          data = 7;
          ready = true;
        }
        condition.notify_one();
      });
  return 0;
}

PROGRAM(lost_signal) {
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        condition.wait(lock);
      },
      [] { condition.notify_one(); });
  return 0;
}

PROGRAM(waiting_for_a_while) {
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        if (condition.wait_for(lock, std::chrono::milliseconds(5), [] { return ready; }))
          assert(data == 7);
      },
      [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::lock_guard<std::mutex> lock(m);
        data = 7;
        ready = true;
        condition.notify_one();
      });
  return 0;
}

PROGRAM(waiting_too_short) {
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        condition.wait_until(lock, std::chrono::steady_clock::now() + std::chrono::seconds(1));
        assert(ready);
      },
      [] {
        std::lock_guard<std::mutex> lock(m);
        ready = true;
        condition.notify_one();
      });
  return 0;
}

PROGRAM(wrong_signal) {
  std::thread third([] {
    std::unique_lock<std::mutex> lock(m);
    condition.wait(lock, [] { return ready; });
  });
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        condition.wait(lock, [] { return data == 7; });
        ready = true;
        condition.notify_one();
      },
      [] {
        std::lock_guard<std::mutex> guard(m);
        data = 7;
        condition.notify_one();
      });
  third.join();
  return 0;
}

PROGRAM(right_signal) {
  std::thread third([] {
    std::unique_lock<std::mutex> lock(m);
    condition.wait(lock, [] { return ready; });
  });
  two(
      [] {
        std::unique_lock<std::mutex> lock(m);
        condition.wait(lock, [] { return data == 7; });
        ready = true;
        condition.notify_one();
      },
      [] {
        std::lock_guard<std::mutex> guard(m);
        data = 7;
        condition.notify_all();
      });
  third.join();
  return 0;
}

PROGRAM(called_once) {
  twice([] {
    std::call_once(once, [](int by) { data += by; }, 1);
    assert(data == 1);
  });
  return 0;
}

// ---- objects

namespace {
struct Base {
  virtual ~Base() = default;
  virtual int value() const = 0;
};
struct One : Base {
  int value() const override { return 1; }
};
struct Two : Base {
  int kept = 2;
  int value() const override { return kept; }
};
std::atomic<Base *> shown{nullptr};
} // namespace

PROGRAM(virtual_call) {
  two([] { shown.store(new One, std::memory_order_release); },
      [] {
        if (Base *seen = shown.load(std::memory_order_acquire))
          assert(seen->value() == 1);
      });
  delete shown.load();
  return 0;
}

PROGRAM(virtual_calls) {
  std::thread a([] { shown.store(new One, std::memory_order_release); });
  std::thread b([] { shown.store(new Two, std::memory_order_release); });
  std::thread c([] {
    if (Base *seen = shown.load(std::memory_order_acquire))
      assert(seen->value() >= 1);
  });
  a.join();
  b.join();
  c.join();
  return 0;
}

PROGRAM(unique_pointers) {
  auto run = [](std::unique_ptr<Base> mine) { sum += mine->value(); };
  std::thread a(run, std::make_unique<One>()), b(run, std::make_unique<Two>());
  a.join();
  b.join();
  assert(sum == 3);
  return 0;
}

PROGRAM(shared_pointers) {
  auto kept = std::make_shared<int>(3);
  std::thread a([kept] { assert(*kept == 3); });
  std::thread b([moved = std::move(kept)] { assert(*moved == 3); });
  a.join();
  b.join();
  return 0;
}

namespace {
struct Slow {
  int value;
  Slow() : value(42) {}
};
Slow &single() {
  static Slow made;
  return made;
}
} // namespace

PROGRAM(local_static) {
  twice([] { assert(single().value == 42); });
  return 0;
}

namespace {
struct Counted {
  int value = 4;
  ~Counted() { sum++; }
};
thread_local int own = 3;
thread_local Counted counted;
} // namespace

PROGRAM(thread_locals) {
  twice([] {
    assert(++own == 4);
    assert(++counted.value == 5);
  });
  assert(sum == 2);
  return 0;
}

namespace {
struct alignas(64) Wide {
  int all[32];
};
struct Pair {
  int x, y;
  Pair(int a, int b) : x(a), y(b) {}
  ~Pair() { x = 0; }
};
struct Early {
  int value;
  explicit Early(int v) : value(v) {}
};
Early early(5);
} // namespace

PROGRAM(allocation) {
  assert(early.value == 5);
  int *row = new int[10]();
  void *raw = operator new(sizeof(Pair));
  Pair *placed = new (raw) Pair(1, 2);
  assert(placed->y == 2 && row[9] == 0);
  placed->~Pair();
  operator delete(raw);
  Wide *wide = new Wide;
  assert((reinterpret_cast<std::uintptr_t>(wide) & 63) == 0);
  delete wide;
  Pair *pairs = new Pair[2]{{1, 2}, {3, 4}};
  assert(pairs[1].y == 4);
  delete[] pairs;
  delete[] row;
  int *quiet = new (std::nothrow) int(3);
  std::thread a([quiet] { delete quiet; });
  a.join();
  return 0;
}

PROGRAM(deleted_too_early) {
  int *x = new int(1);
  twice([x] { delete x; });
  return 0;
}

// ---- exceptions

PROGRAM(throwing) {
  std::thread a([] {});
  if (data == 0)
    throw std::runtime_error("no");
  a.join();
  return 0;
}

PROGRAM(not_throwing) {
  int x = 0;
  std::thread a([&] { x = 1; });
  a.join();
  try {
    if (x > 1)
      throw std::runtime_error("no");
  } catch (const std::exception &) {
    assert(false);
  }
  return 0;
}

// ---- values

namespace {
std::optional<int> looked() {
  int seen = flag.load();
  if (seen == 0)
    return std::nullopt;
  return seen;
}
const int table[] = {3, 4, 5};
} // namespace

PROGRAM(optional) {
  two([] { flag = 1; },
      [] {
        auto got = looked();
        assert(!got || *got == 1);
      });
  return 0;
}

namespace {
struct Point {
  int x, y;
};
std::ostream &operator<<(std::ostream &out, const Point &point) {
  return out << point.x << ", " << point.y;
}
} // namespace

PROGRAM(printing) {
  two([] { flag = 2; }, [] { std::cout << "flag " << flag << 'c' << std::endl; });
  std::cerr << Point{1, 2} << std::flush << "\n";
  return 0;
}

PROGRAM(constant_table) {
  two([] { flag = 2; }, [] { assert(table[flag.load()] >= 3); });
  return 0;
}

namespace {
std::vector<int> numbers;
void add(int number) {
  std::lock_guard<std::mutex> guard(m);
  numbers.push_back(number);
}
} // namespace

PROGRAM(shared_vector) {
  two([] { add(1); }, [] { add(2); });
  assert(numbers.size() == 2 && numbers[0] + numbers[1] == 3);
  return 0;
}
