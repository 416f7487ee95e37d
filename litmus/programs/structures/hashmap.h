// A hash map, without locks, that grows as needed: keys and values are numbers.
//
// A table is an array of slots with open addressing: a key sits in the first slot from its hash on
// that is its own. A slot's key is claimed once by compare-and-swap and never changes; its value
// changes by compare-and-swap. 0 is no key and no value.
//
// When a key finds no slot, the table gets a successor of twice the size, and every thread that
// wants to store something first moves the whole table there, slot by slot:
// 1. freeze the value: set a bit in it, by which no compare-and-swap on it succeeds any more;
// 2. put the value into the successor, unless the key already has one there.
// Two threads may move the same slot: both put the same value, and the first one wins. A value that
// is newer than the frozen one can only be put into the successor after step 2: who meets a frozen
// value moves the table before it stores. So a key's value is what the last table in the chain has
// for it, and readers that meet a frozen value go on to the successor; they take the frozen value
// only if there is none yet. Then the map's root is set to the successor. Old tables are kept until
// the map is freed, as others may still read there; all together they are smaller than the last.
//
// Orders. A value is stored by a release and read by an acquire: who gets a value from the map sees
// what the thread that put it did before. A move passes that on: freezing acquires the value, and
// storing it in the successor releases it. Keys may be relaxed: whoever sees a value sees its key.

#ifndef HASHMAP_H
#define HASHMAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef WEAK
#define HASHMAP_FREEZE memory_order_relaxed
#else
#define HASHMAP_FREEZE memory_order_acquire
#endif

#define HASHMAP_FROZEN (1u << 31) // in a value: values of users are smaller

struct hashmap_slot {
  atomic_uint key;
  atomic_uint value;
};

struct hashmap_table {
  unsigned size;
  struct hashmap_table *_Atomic next;
  struct hashmap_slot slots[];
};

struct hashmap {
  struct hashmap_table *first; // the oldest table, for hashmap_destroy
  struct hashmap_table *_Atomic root;
};

static inline struct hashmap_table *hashmap_table_new(unsigned size) {
  struct hashmap_table *table = malloc(sizeof *table + size * sizeof table->slots[0]);
  if (table == NULL)
    abort();
  table->size = size;
  atomic_init(&table->next, NULL);
  for (unsigned i = 0; i < size; i++) {
    atomic_init(&table->slots[i].key, 0);
    atomic_init(&table->slots[i].value, 0);
  }
  return table;
}

static inline void hashmap_init(struct hashmap *map, unsigned size) {
  map->first = hashmap_table_new(size);
  atomic_init(&map->root, map->first);
}

// No other thread may use the map any more.
static inline void hashmap_destroy(struct hashmap *map) {
  struct hashmap_table *table = map->first;
  while (table != NULL) {
    struct hashmap_table *next = atomic_load_explicit(&table->next, memory_order_relaxed);
    free(table);
    table = next;
  }
}

// The slot of a key: if it has none, a free one is claimed for it, if asked for. NULL: no slot.
static inline struct hashmap_slot *hashmap_find(struct hashmap_table *table, unsigned key,
                                                bool claim) {
  for (unsigned i = 0; i < table->size; i++) {
    struct hashmap_slot *slot = &table->slots[(key + i) % table->size];
    unsigned found = atomic_load_explicit(&slot->key, memory_order_relaxed);
    if (found == 0) {
      if (!claim)
        return NULL;
      if (atomic_compare_exchange_strong_explicit(&slot->key, &found, key, memory_order_relaxed,
                                                  memory_order_relaxed))
        return slot;
    }
    if (found == key)
      return slot;
  }
  return NULL;
}

// The table's successor, made if there is none.
static inline struct hashmap_table *hashmap_successor(struct hashmap_table *table) {
  struct hashmap_table *next = atomic_load_explicit(&table->next, memory_order_acquire);
  if (next != NULL)
    return next;
  struct hashmap_table *larger = hashmap_table_new(table->size * 2);
  if (atomic_compare_exchange_strong_explicit(&table->next, &next, larger, memory_order_acq_rel,
                                              memory_order_acquire))
    return larger;
  free(larger); // another thread was faster
  return next;
}

// Puts a value if the key has none in this table. False: the table is full, or the slot is frozen
// without a value, so that the successor has to be asked.
static inline bool hashmap_add(struct hashmap_table *table, unsigned key, unsigned value) {
  struct hashmap_slot *slot = hashmap_find(table, key, true);
  unsigned old = 0;
  return slot != NULL &&
         (atomic_compare_exchange_strong_explicit(&slot->value, &old, value, memory_order_release,
                                                  memory_order_relaxed) ||
          old != HASHMAP_FROZEN);
}

// Moves everything to the successor, and returns that.
static inline struct hashmap_table *hashmap_move(struct hashmap *map, struct hashmap_table *table) {
  struct hashmap_table *next = hashmap_successor(table);
  for (unsigned i = 0; i < table->size; i++) {
    struct hashmap_slot *slot = &table->slots[i];
    unsigned value = atomic_fetch_or_explicit(&slot->value, HASHMAP_FROZEN, HASHMAP_FREEZE);
    value &= ~HASHMAP_FROZEN;
    if (value == 0)
      continue;
    unsigned key = atomic_load_explicit(&slot->key, memory_order_relaxed);
    struct hashmap_table *to = next;
    while (!hashmap_add(to, key, value))
      to = hashmap_successor(to);
  }
  atomic_compare_exchange_strong_explicit(&map->root, &table, next, memory_order_release,
                                          memory_order_relaxed);
  return next;
}

// Sets the value of a key: neither is 0, and the value is smaller than HASHMAP_FROZEN.
static inline void hashmap_put(struct hashmap *map, unsigned key, unsigned value) {
  struct hashmap_table *table = atomic_load_explicit(&map->root, memory_order_acquire);
  for (;;) {
    struct hashmap_slot *slot = NULL;
    if (atomic_load_explicit(&table->next, memory_order_relaxed) == NULL)
      slot = hashmap_find(table, key, true);
    if (slot != NULL) {
      unsigned old = atomic_load_explicit(&slot->value, memory_order_relaxed);
      while (!(old & HASHMAP_FROZEN))
        if (atomic_compare_exchange_strong_explicit(&slot->value, &old, value,
                                                    memory_order_release, memory_order_relaxed))
          return;
    }
    table = hashmap_move(map, table);
  }
}

// The value of a key, or 0.
static inline unsigned hashmap_get(struct hashmap *map, unsigned key) {
  struct hashmap_table *table = atomic_load_explicit(&map->root, memory_order_acquire);
  unsigned result = 0;
  while (table != NULL) {
    struct hashmap_slot *slot = hashmap_find(table, key, false);
    unsigned value = 0;
    if (slot != NULL)
      value = atomic_load_explicit(&slot->value, memory_order_acquire);
    if (value & ~HASHMAP_FROZEN)
      result = value & ~HASHMAP_FROZEN;
    if (value != 0 && !(value & HASHMAP_FROZEN))
      break;
    table = atomic_load_explicit(&table->next, memory_order_acquire);
  }
  return result;
}

#endif
