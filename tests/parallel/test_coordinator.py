"""How the coordinator cuts units; that it explores everything is tested with the processes and the
cluster."""

from __future__ import annotations

from hybrid.parallel.coordinator import LONG, RATE, SEVERAL, SHORT, unit_seconds, unit_tasks


def test_units_are_short_while_there_are_few_tasks() -> None:
    assert unit_seconds(enough=False, out=0) == SHORT
    assert unit_seconds(enough=True, out=0) == LONG


def test_units_are_longer_the_more_are_out() -> None:
    """So that answers come at no more than RATE in a second."""
    for enough in (False, True):
        assert unit_seconds(enough, 2 * RATE) == 2.0
    assert unit_seconds(True, 16) == LONG


def test_a_unit_gets_one_task_at_least_and_leaves_half() -> None:
    for tasks in (1, 2, 7, 100, 5000):
        for capacity in (1, 2, 16, 1000):
            for free in {1, (capacity + 1) // 2, capacity}:
                share = unit_tasks(tasks, capacity, free)
                assert 1 <= share <= tasks
                assert share == 1 or share * free <= tasks / 2


def test_a_unit_gets_several_tasks_where_few_workers_are_free() -> None:
    assert unit_tasks(2000, 1000, 1000) == 1
    assert unit_tasks(2000, 1000, 1) == 10
    assert unit_tasks(20000, 1000, 1) == SEVERAL
    assert unit_tasks(200000, 1000, 1) == 100
