"""Time the PyTorch peer on the machines of `nlm bench`; prints one JSON object a line.

A training step is forward, loss, backward and Adam on a batch of 4 worlds; an inference is forward and head on one
world.  Reported is the best of several; PyTorch's time does not depend on the values of the inputs.
"""
import argparse
import json
import resource
import time
import torch
import torch.nn as nn
import nlm_torch as N

CONFIGS = {  # name: depth, breadth, residual, input predicates, output arity, train objects, test objects
    'family_unary':  (4, 3, False, [0, 0, 4], 1, 20, 100),
    'family_binary': (4, 3, False, [0, 0, 4], 2, 20, 100),
    'adjacent':      (4, 3, False, [0, 4, 1], 1, 10, 50),
    'connect4':      (4, 3, False, [0, 0, 1], 2, 10, 50),
    'connect6':      (8, 3, True, [0, 0, 1], 2, 10, 50),
    'outdegree1':    (4, 3, False, [0, 0, 1], 1, 10, 50),
    'outdegree2':    (5, 4, True, [0, 0, 1], 1, 10, 20),
    'dense':         (4, 3, False, [0, 0, 4], 2, 20, 100),
    'digits':        (2, 2, True, [0, 10, 1], 1, 10, 50),
}

GAMES = {  # name: depth, breadth, residual, input predicates, output arity, objects that the machine sees
    'sort':   (3, 2, True, [0, 0, 6], 2, 50),
    'path':   (5, 3, True, [0, 2, 2], 1, 50),
    'blocks': (7, 2, True, [0, 0, 12], 1, 102),
}


class LeNet(nn.Module):
    """Ten unary predicates of an image at every object; it is the first part of the machine 'digits'."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(1, 10, 5), nn.BatchNorm2d(10)
        self.conv2, self.norm2 = nn.Conv2d(10, 20, 5), nn.BatchNorm2d(20)
        self.linear1, self.linear2 = nn.Linear(320, 50), nn.Linear(50, 10)

    def forward(self, images):
        x = images.flatten(0, 1).unsqueeze(1)
        x = torch.max_pool2d(torch.relu(self.norm1(self.conv1(x))), 2)
        x = torch.max_pool2d(torch.relu(self.norm2(self.conv2(x))), 2)
        x = torch.sigmoid(self.linear2(torch.relu(self.linear1(x.flatten(1)))))
        return x.view(images.shape[0], images.shape[1], 10)


def inputs(dims, m, batch):
    t = [None] * 5
    if dims[1]:
        t[1] = (torch.rand(batch, m, dims[1]) > .5).float()
    t[2] = (torch.rand(batch, m, m, dims[2]) > .8).float()
    return t


def best(f, seconds):
    f()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        s = time.perf_counter()
        f()
        times.append(time.perf_counter() - s)
    return min(times) * 1e3


def blas():
    """The BLAS that was loaded, as a path; empty where it is a part of PyTorch."""
    with open('/proc/self/maps') as maps:
        return ' '.join(sorted({line.split()[-1] for line in maps if 'blas' in line}))


def measure(name, threads, seconds):
    depth, breadth, residual, dims, arity, m, big = CONFIGS[name]
    seen = name == 'digits'
    net = N.Machine(depth, breadth, dims, 16 if seen else 8, (), residual)
    head = N.Unit(net.output_dims[arity], 1)
    lenet = LeNet() if seen else None
    opt = torch.optim.Adam([*net.parameters(), *head.parameters(), *(lenet.parameters() if seen else [])], lr=.005)
    x, z = inputs(dims, m, 4)[:breadth + 1], inputs(dims, big, 1)[:breadth + 1]
    images = {id(x): torch.rand(4, m, 28, 28), id(z): torch.rand(1, big, 28, 28)}
    y = (torch.rand((4,) + (m,) * arity) > .5).float()

    def answer(given):
        read = [given[0], lenet(images[id(given)]), *given[2:]] if seen else given
        return head(net(read)[arity])

    def step():
        opt.zero_grad()
        nn.functional.binary_cross_entropy(answer(x).squeeze(-1), y).backward()
        opt.step()
    row = dict(name=name, threads=threads, batch=4, objects=m, train_step_ms=best(step, seconds))
    if seen:
        row['lenet_step_ms'] = best(lambda: lenet(images[id(x)]).sum().backward(), seconds)
        lenet.eval()
    with torch.no_grad():
        row.update(infer_objects=big, infer_ms=best(lambda: answer(z), seconds))
    # The peak of the process: measure one machine a process for a machine's own.
    row['max_rss_mb'] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row['blas'] = blas()
    return row


def measure_move(name, threads, seconds):
    """The machine of an agent on one position; the scores of moves, cheap beside it, are left out."""
    depth, breadth, residual, dims, arity, m = GAMES[name]
    net = N.Machine(depth, breadth, dims, 8, (), residual)
    z = inputs(dims, m, 1)[:breadth + 1]
    with torch.no_grad():
        return dict(name=name, threads=threads, objects=m, move_ms=best(lambda: net(z)[arity], seconds), blas=blas())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=1.0, help='least time per measurement (1)')
    parser.add_argument('--only', choices=[*CONFIGS, *GAMES], metavar='NAME', help='measure one machine')
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for name in [options.only] if options.only else [*CONFIGS, *GAMES]:
        run = measure if name in CONFIGS else measure_move
        print(json.dumps(run(name, options.threads, options.seconds)), flush=True)


if __name__ == '__main__':
    main()
