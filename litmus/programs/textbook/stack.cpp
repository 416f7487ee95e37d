// Treiber's stack as a template, whose nodes are allocated, and deleted by whoever pops them.
//
// One thread pushes, another one pops; with more threads that pop, a node could be deleted while
// another one still looks at it (treiber.c does not delete, hazard.c waits).
//@ expect rc20: HOLDS 5 traces, sc: HOLDS 5 traces
//@ unroll 2

#include <atomic>
#include <cassert>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#ifdef RELAXED
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_release;
#endif

template <class T> class Stack {
public:
  void push(T value) {
    auto node = new Node{std::move(value), top.load(std::memory_order_relaxed)};
    while (!top.compare_exchange_weak(node->next, node, publish, std::memory_order_relaxed))
      ;
  }

  std::optional<T> pop() {
    Node *node = top.load(std::memory_order_acquire);
    while (node != nullptr && !top.compare_exchange_weak(node, node->next,
                                                         std::memory_order_acquire))
      ;
    if (node == nullptr)
      return std::nullopt;
    std::unique_ptr<Node> owned(node);
    return std::move(owned->value);
  }

private:
  struct Node {
    T value;
    Node *next;
  };
  std::atomic<Node *> top{nullptr};
};

int main() {
  Stack<int> stack;
  std::thread pusher([&] {
    stack.push(1);
    stack.push(2);
  });
  std::thread popper([&] {
    auto got = stack.pop();
    assert(!got || *got == 1 || *got == 2);
  });
  pusher.join();
  popper.join();
  while (stack.pop())
    ;
}
