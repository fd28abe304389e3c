"""Compare the memory network with the same in PyTorch, one core each: a training step of 4 worlds of 20 objects with 4
relations and a binary target, 4 rounds, and inference on one world of 100 objects.

    taskset -c 1 env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/bench_memnn.py

A step is forward, loss, backward and Adam; reported is the best of several, in time of the processor, both programs
measured in turns.
"""
import argparse
import json
import os
import subprocess
import sys
import time
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
BITS, KEY, VALUE, WIDTH, ROUNDS, RELATIONS = 8, 16, 32, 64, 4, 4


def mlp(inputs, hidden, outputs):
    if not hidden:
        return nn.Linear(inputs, outputs)
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, outputs))


class MemoryNetwork(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.key, self.value = mlp(2 * BITS + RELATIONS, hidden, KEY), mlp(2 * BITS + RELATIONS, hidden, VALUE)
        self.question = mlp(2 * BITS, hidden, KEY)
        self.lstm, self.query = nn.LSTMCell(VALUE, WIDTH), nn.Linear(WIDTH, KEY)
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, names, relations, pairs, rows=1024):
        """names [worlds, m, BITS], relations [worlds, m, m, RELATIONS], pairs: x and y of each pair -> logits."""
        x, y = pairs
        both = torch.cat([names[:, x], names[:, y]], -1)
        slots = torch.cat([both, relations[:, x, y]], -1)
        keys, values = self.key(slots).transpose(1, 2), self.value(slots)
        return torch.cat([self.ask(part, keys, values) for part in both.split(rows, 1)], 1)

    def ask(self, questions, keys, values):
        worlds, count = questions.shape[:2]
        query, state = self.question(questions), None
        for t in range(ROUNDS):
            read = torch.bmm(torch.softmax(torch.bmm(query, keys), -1), values)
            state = self.lstm(read.flatten(0, 1), state)
            if t < ROUNDS - 1:
                query = self.query(state[0]).view(worlds, count, KEY)
        return self.head(state[0]).view(worlds, count)


def draw_names(worlds, m):
    names = torch.stack([torch.randperm(255)[:m] + 1 for _ in range(worlds)])
    return (names.unsqueeze(-1) >> torch.arange(BITS) & 1).float()


def pairs_of(m):
    grid = torch.arange(m)
    x, y = torch.meshgrid(grid, grid, indexing='ij')
    return x[x != y], y[x != y]


def best(f, seconds):
    f()
    times, end = [], time.process_time() + seconds
    while time.process_time() < end or len(times) < 3:
        start = time.process_time()
        f()
        times.append(time.process_time() - start)
    return min(times) * 1e3


def measure_torch(hidden, seconds):
    torch.set_num_threads(1)
    net = MemoryNetwork(hidden)
    optimizer = torch.optim.Adam(net.parameters(), lr=.001)
    relations, pairs = (torch.rand(4, 20, 20, RELATIONS) > .8).float(), pairs_of(20)
    target = (torch.rand(4, len(pairs[0])) > .5).float()

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = net(draw_names(4, 20), relations, pairs)
        nn.functional.binary_cross_entropy_with_logits(logits, target).backward()
        optimizer.step()
    train = best(step, seconds)
    relations, pairs = (torch.rand(1, 100, 100, RELATIONS) > .8).float(), pairs_of(100)
    with torch.no_grad():
        # The best of these; smaller parts stay in the caches.
        infer = min(best(lambda: net(draw_names(1, 100), relations, pairs, rows), seconds) for rows in (64, 256, 1024))
    return dict(train_step_ms=train, infer_ms=infer)


def measure_nlm(options, hidden):
    command = [options.nlm, str(hidden), str(options.seconds)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seconds', type=float, default=1.0, help='least time per measurement (1)')
    parser.add_argument('--turns', type=int, default=3, help='how often each is measured (3)')
    parser.add_argument('--nlm', default=os.path.join(HERE, '..', 'build', 'nlm-memnn-bench'),
                        help='the program (build/nlm-memnn-bench)')
    options = parser.parse_args()
    with open('/proc/self/maps') as maps:
        print('BLAS of PyTorch:', ' '.join(sorted({line.split()[-1] for line in maps if 'blas' in line})) or 'its own')
    print('%-14s |%11s%11s%9s |%11s%11s%9s%11s' % (
        ('hidden layer',) + ('torch ms', 'nlm ms', 'ratio') * 2 + ('GFLOP/s',)))
    for hidden in (32, 0):
        torch_runs, nlm_runs = [], []
        for _ in range(options.turns):
            torch_runs.append(measure_torch(hidden, options.seconds))
            nlm_runs.append(measure_nlm(options, hidden))
        cells = []
        for key in ('train_step_ms', 'infer_ms'):
            theirs, ours = (min(run[key] for run in runs) for runs in (torch_runs, nlm_runs))
            cells += [theirs, ours, theirs / ours]
        print('%-14s |%11.2f%11.2f%9.2f |%11.1f%11.1f%9.2f%11.1f' % (
            (hidden or 'none', *cells, max(run['infer_gflops'] for run in nlm_runs))), flush=True)


if __name__ == '__main__':
    sys.exit(main())
