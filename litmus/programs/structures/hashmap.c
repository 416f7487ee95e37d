// A hash map that grows (hashmap.h): one thread makes a record and puts it into the map, another
// puts a record that does not fit and so moves the first one, and main looks one up meanwhile.
//
// What is checked: a record that is found is complete, wherever the map got it from; none gets
// lost on the way.
//@ expect rc20: HOLDS 530 traces, sc: HOLDS 272 traces

#include <assert.h>
#include <hybrid.h>

#include "hashmap.h"

static struct hashmap map;
static int records[3]; // not atomic: a record is complete when it is in the map; values are indices

static void *maker(void *arg) {
  unsigned key = arg == NULL ? 1 : 2;
  records[key] = 40 + key;
  hashmap_put(&map, key, key);
  return NULL;
}

static int look_up(unsigned key) {
  unsigned index = hashmap_get(&map, key);
  if (index == 0)
    return 0;
  assert(index == key);
  return records[index];
}

int main(void) {
  hashmap_init(&map, 1);
  pthread_t a = hybrid_spawn(maker, NULL);
  pthread_t b = hybrid_spawn(maker, &map);
  int early = look_up(1);
  hybrid_join(a);
  hybrid_join(b);
  int first = look_up(1), second = look_up(2);
  assert((early == 0 || early == 41) && first == 41 && second == 42);
  hashmap_destroy(&map);
  return 0;
}
