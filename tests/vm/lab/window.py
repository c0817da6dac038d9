# SPDX-License-Identifier: Apache-2.0
"""Guest side: CPU shares over a stretch of time, by two books that know nothing of each other."""

import daemon
import load


class Window:
    """Opens at construction. Both books are read one right after the other, at either end."""

    def __init__(self, samples, groups):
        """samples: daemon.Samples. groups: load.Group by the name of the layer that takes it."""
        self._samples = samples
        self._groups = groups
        self._begin = self._read()

    def _read(self):
        own = daemon.cpu_ns(self._samples.next())
        return own, {name: group.cpu_ns() for name, group in self._groups.items()}

    def close(self):
        """Shares by layer since the beginning: (by the daemon's counters, by schedstat)."""
        end = self._read()
        own = {name: end[0][name] - self._begin[0][name] for name in self._groups}
        books = {name: load.used(self._begin[1][name], end[1][name]) for name in self._groups}
        return load.shares(own), load.shares(books)


def points_apart(own, books):
    """Largest difference between two results, in percentage points."""
    return 100 * max(abs(own[name] - books[name]) for name in books)
