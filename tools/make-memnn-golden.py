#!/usr/bin/env python3
"""Values and gradients of memory networks by PyTorch, for tests/baseline/test_memnn_golden.c.

    /usr/bin/python3 tools/make-memnn-golden.py tests/golden/baseline

PyTorch computes in double precision; parameters, inputs and the gradients of the logits are floats exactly.
A file has
    NAME, dNAME                 parameters and their gradients
    W.names [things]            of world W: numbers that are the names
    W.input.R                   inputs of arity R: [n, ...] or [n, n, ...]
    W.HEAD, W.dHEAD             logits and the gradients of the loss by them, 0 where an object repeats
"""
import json
import os
import struct
import sys
from collections import OrderedDict

import numpy
import torch
from torch import nn

BITS, KEY, VALUE = 8, 16, 32

# rounds, width, hidden layers, properties, relations, heads (name, arity, outputs, twins), objects of the worlds
CASES = OrderedDict([
    ('memnn', (4, 16, [8], 0, 4, [('grandparent', 2, 1, False)], [5, 3])),
    ('memnn_plain', (2, 12, [], 2, 3, [('one', 1, 2, False), ('two', 2, 1, False)], [4, 1, 6])),
    ('memnn_twins', (1, 9, [7, 6], 0, 3, [('move', 2, 2, True)], [8])),
])


def mlp(sizes):
    layers = []
    for before, after in zip(sizes, sizes[1:]):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class MemoryNetwork(nn.Module):
    def __init__(self, rounds, width, hidden, properties, relations, heads):
        super().__init__()
        self.rounds, self.properties, self.relations = rounds, properties, relations
        self.twins = any(twins for _, _, _, twins in heads)
        self.bits = BITS + self.twins
        slot = 2 * self.bits + properties + relations
        self.key, self.value = mlp([slot, *hidden, KEY]), mlp([slot, *hidden, VALUE])
        self.question = mlp([2 * self.bits, *hidden, KEY])
        self.lstm = nn.LSTMCell(VALUE, width)
        self.query = nn.Linear(width, KEY)
        self.heads = nn.ModuleDict((name, nn.Linear(width, outputs)) for name, _, outputs, _ in heads)

    def name_bits(self, names, n):
        """[n, bits]: lowest bit first; twins have a last bit for the half they are of."""
        bits = (names.unsqueeze(-1) >> torch.arange(BITS) & 1).double()
        if not self.twins:
            return bits
        return torch.cat([torch.cat([bits, torch.full((n // 2, 1), float(half)).double()], 1) for half in (0, 1)])

    def read_world(self, bits, inputs):
        """Keys and values of all slots."""
        n = len(bits)
        rows = []
        for x, y in pairs_of(n):
            rows.append(torch.cat([bits[x], bits[y], torch.zeros(self.properties), inputs[2][x, y]]))
        for x in range(n if self.properties else 0):
            rows.append(torch.cat([bits[x], torch.zeros(self.bits), inputs[1][x], torch.zeros(self.relations)]))
        return self.key(torch.stack(rows)), self.value(torch.stack(rows))

    def ask(self, questions, keys, values):
        query, state = self.question(questions), None
        for t in range(self.rounds):
            if t > 0:
                query = self.query(state[0])
            state = self.lstm(torch.softmax(query @ keys.t(), -1) @ values, state)
        return state[0]


def pairs_of(n):
    return [(x, y) for x in range(n) for y in range(n) if x != y]


def answer(net, head, bits, memory):
    """[n, outputs] or [n, n, outputs]."""
    name, arity, outputs, twins = head
    n = len(bits) // 2 if twins else len(bits)
    if arity == 1:
        questions, places = torch.cat([bits, torch.zeros_like(bits)], 1), [(x,) for x in range(n)]
    else:
        places = pairs_of(n)
        questions = torch.stack([torch.cat([bits[x], bits[y]]) for x, y in places]) if places else None
    logits = torch.zeros(*[n] * arity, outputs).double()
    if places:
        logits = logits.index_put(tuple(torch.tensor(places).t()), net.heads[name](net.ask(questions, *memory)))
    return logits


def tensors_of(net, rounds):
    """Parameters by the names that they have here; the second bias of the LSTM is 0 and has no place."""
    named = OrderedDict()
    for part in ('key', 'value', 'question'):
        layers = [layer for layer in getattr(net, part) if isinstance(layer, nn.Linear)]
        for number, layer in enumerate(layers):
            named['memnn.%s.%d.weight' % (part, number)] = layer.weight
            named['memnn.%s.%d.bias' % (part, number)] = layer.bias
    named['memnn.lstm.weight_input'] = net.lstm.weight_ih
    named['memnn.lstm.weight_hidden'] = net.lstm.weight_hh
    named['memnn.lstm.bias'] = net.lstm.bias_ih
    if rounds > 1:
        named['memnn.query.weight'], named['memnn.query.bias'] = net.query.weight, net.query.bias
    for name, layer in net.heads.items():
        named[name + '.weight'], named[name + '.bias'] = layer.weight, layer.bias
    return named


def draw_values(net):
    """Floats, larger than PyTorch's first values so that attention is far from even."""
    with torch.no_grad():
        for value in net.parameters():
            value.copy_((2.5 * value).float())
        net.lstm.bias_hh.zero_()


def run_world(net, heads, n, number, tensors):
    names = torch.randperm(255)[:n // 2 if net.twins else n] + 1
    inputs = [None, torch.rand(n, net.properties).double(), (torch.rand(n, n, net.relations) > 0.6).double()]
    tensors['%d.names' % number] = names
    for arity, predicates in ((1, net.properties), (2, net.relations)):
        if predicates:
            tensors['%d.input.%d' % (number, arity)] = inputs[arity]
    bits = net.name_bits(names, n)
    memory = net.read_world(bits, inputs)
    for head in heads:
        logits = answer(net, head, bits, memory)
        dlogits = torch.randn(logits.shape).double()
        if head[1] == 2:
            dlogits[range(len(dlogits)), range(len(dlogits))] = 0
        if logits.requires_grad:
            logits.backward(dlogits, retain_graph=True)
        tensors['%d.%s' % (number, head[0])] = logits.detach()
        tensors['%d.d%s' % (number, head[0])] = dlogits


def write_safetensors(path, tensors):
    header, data = OrderedDict(), b''
    for name, tensor in tensors.items():
        bytes_of = tensor.detach().numpy().astype(numpy.float32).tobytes()
        header[name] = {'dtype': 'F32', 'shape': list(tensor.shape),
                        'data_offsets': [len(data), len(data) + len(bytes_of)]}
        data += bytes_of
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + data)


def main():
    torch.manual_seed(1)
    for name, (rounds, width, hidden, properties, relations, heads, worlds) in CASES.items():
        net = MemoryNetwork(rounds, width, hidden, properties, relations, heads).double()
        draw_values(net)
        tensors = OrderedDict(tensors_of(net, rounds))
        for number, n in enumerate(worlds):
            run_world(net, heads, n, number, tensors)
        for tensor, value in tensors_of(net, rounds).items():
            tensors['d' + tensor] = value.grad
        write_safetensors(os.path.join(sys.argv[1], name + '.safetensors'), tensors)


main()
