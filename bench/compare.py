"""Compare `nlm bench` with the PyTorch peer beside this file, both in one run: machine by machine, one thread each.

Without PyTorch the library is measured alone.
"""
import argparse
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAPER = ['family_unary', 'family_binary', 'adjacent', 'connect4', 'connect6', 'outdegree1', 'outdegree2']
DENSE = 'dense'  # no two tuples alike: not a task of the paper, so it is in no mean
DIGITS = 'digits'  # LeNet before the machine: a batch of 4 worlds has 40 images
THREADED = 'family_binary'
GAMES = ['sort', 'path', 'blocks']  # one move of an agent at 50 objects
TIMES = ['train_step_ms', 'infer_ms']


def run(command, **environment):
    """The JSON object that a benchmark prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit('compare.py: %s failed' % ' '.join(command))
    return json.loads(done.stdout)


def run_nlm(options, name, threads):
    return run([options.nlm, 'bench', '--json', '--only', name, '--threads', str(threads),
                '--seconds', str(options.seconds)])


def run_move(options, name):
    return run([options.nlm, 'bench', '--moves', '--json', '--only', name, '--seconds', str(options.seconds)])


def run_torch(options, name):
    # OpenBLAS has threads of its own, which PyTorch's setting does not reach.
    return run([sys.executable, os.path.join(HERE, 'bench_torch.py'), '--only', name, '--threads', '1',
                '--seconds', str(options.seconds)], OPENBLAS_NUM_THREADS='1')


def has_torch():
    return subprocess.run([sys.executable, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode == 0


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def number(value):
    """Four significant digits, without an exponent."""
    return '%.*f' % (max(0, 3 - int(math.floor(math.log10(value)))), value)


def print_heading(torch):
    if torch:
        print('%-14s | %-32s | %-32s | %s' % ('', 'training step', 'inference', 'peak memory'))
        print('%-14s |%11s%11s%11s |%11s%11s%11s |%10s%10s' % (
            ('machine',) + ('torch ms', 'nlm ms', 'ratio') * 2 + ('torch MB', 'nlm MB')))
    else:
        print('%-14s %13s %13s %10s' % ('machine', 'training ms', 'inference ms', 'memory MB'))


def print_row(torch, nlm):
    cells = [nlm['name']]
    for key in TIMES:
        cells += [number(torch[key]), number(nlm[key]), number(torch[key] / nlm[key])] if torch else [number(nlm[key])]
    if torch:
        cells += ['%.0f' % torch['max_rss_mb'], '%.0f' % nlm['max_rss_mb']]
        print('%-14s |%11s%11s%11s |%11s%11s%11s |%10s%10s' % tuple(cells), flush=True)
    else:
        print('%-14s %13s %13s %10.0f' % (*cells, nlm['max_rss_mb']), flush=True)


def print_means(torch, nlm):
    names = [name for name in PAPER if name in torch]
    if len(names) < 2:
        return
    ratios = [number(geometric_mean([torch[name][key] / nlm[name][key] for name in names])) for key in TIMES]
    print('%-14s |%33s |%33s |' % ('geometric mean', *ratios))


def print_threads(one, two):
    print('\n%s with 2 threads: training %s ms (1 thread: %s, ratio %s), inference %s ms (1 thread: %s, ratio %s)' % (
        (THREADED,) + tuple(number(value) for key in TIMES for value in (two[key], one[key], one[key] / two[key]))))


def print_images(torch, nlm):
    """Images per second of training: all of a step, and beside it PyTorch's LeNet alone, forward and backward."""
    images = 1e3 * nlm['batch'] * nlm['objects']
    print('\n%s, images per second of training: nlm %.0f with the machine behind it' % (
        DIGITS, images / nlm['train_step_ms']), end='')
    if torch:
        print('; PyTorch %.0f with it, %.0f without' % (
            images / torch['train_step_ms'], images / torch['lenet_step_ms']), end='')
    print()


def print_moves(options, compared):
    """One move of an agent at 50 objects, one thread each."""
    print('\n%-14s |%11s%11s%11s' % ('one move', 'torch ms', 'nlm ms', 'ratio'))
    for name in GAMES:
        torch = run_torch(options, name)['move_ms'] if compared else None
        nlm = run_move(options, name)['move_ms']
        cells = [number(torch), number(nlm), number(torch / nlm)] if compared else ['', number(nlm), '']
        print('%-14s |%11s%11s%11s' % (name, *cells), flush=True)


def print_blas(torch):
    """Debian's PyTorch takes any BLAS, also the plain reference, with which it is some three times slower."""
    if any('/blas/libblas.so' in row['blas'] for row in torch.values()):
        print('\nNOT A FAIR COMPARISON: PyTorch runs on the reference BLAS here.  Install libopenblas0-pthread.')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seconds', type=float, default=1.0, help='least time per measurement (1)')
    parser.add_argument('--only', choices=PAPER + [DENSE, DIGITS], metavar='NAME', help='compare one machine')
    parser.add_argument('--moves', action='store_true', help='compare the moves of agents only')
    parser.add_argument('--json', metavar='FILE', help='save the raw results')
    parser.add_argument('--nlm', default=os.path.join(HERE, '..', 'build', 'nlm'), help='the command (build/nlm)')
    options = parser.parse_args()

    load = os.getloadavg()[0]
    if load > 0.5:
        print('Load %.1f: other work is running here, so these times, PyTorch\'s most of all, are too long.\n' % load)
    compared = has_torch()
    if not compared:
        print('PyTorch is not installed (Debian: python3-torch), so there is nothing to compare with: nlm alone.\n')
    torch, nlm, two_threads = {}, {}, {}
    if not options.moves:
        print_heading(compared)
    names = [options.only] if options.only else PAPER + [DENSE, DIGITS]
    if options.moves:
        names = []
    for name in names:
        if compared:
            torch[name] = run_torch(options, name)
        nlm[name] = run_nlm(options, name, 1)
        if name == DENSE and torch:
            print_means(torch, nlm)
        print_row(torch.get(name), nlm[name])
    if DIGITS in names:
        print_images(torch.get(DIGITS), nlm[DIGITS])
    if THREADED in names:
        two_threads[THREADED] = run_nlm(options, THREADED, 2)
        print_threads(nlm[THREADED], two_threads[THREADED])
    if not options.only:
        print_moves(options, compared)
    print_blas(torch)
    if options.json:
        with open(options.json, 'w') as file:
            json.dump({'torch': torch, 'nlm': nlm, 'nlm_two_threads': two_threads}, file, indent=1)
            file.write('\n')


if __name__ == '__main__':
    main()
