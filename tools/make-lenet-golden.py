#!/usr/bin/env python3
"""Values and gradients of LeNet by PyTorch, for tests/perception/test_lenet_golden.c.

    /usr/bin/python3 tools/make-lenet-golden.py tests/golden/perception/lenet.safetensors

PyTorch computes in double precision; images, parameters and the gradient of the outputs are floats exactly.
The file has
    NAME                          parameters and running averages before the step
    images, doutputs              inputs of the step
    train.outputs, train.dimages, train.dNAME, train.NAME
                                  with batch statistics; the last are the running averages after the step
    test.outputs, test.dimages, test.dNAME
                                  with the running averages after the step
"""
import json
import struct
import sys
from collections import OrderedDict

import numpy
import torch
from torch import nn

IMAGES = 9  # more than one part of a pass, and the last of another size


def make_lenet():
    return nn.Sequential(OrderedDict([
        ('conv1', nn.Conv2d(1, 10, 5)), ('norm1', nn.BatchNorm2d(10)), ('relu1', nn.ReLU()),
        ('pool1', nn.MaxPool2d(2)),
        ('conv2', nn.Conv2d(10, 20, 5)), ('norm2', nn.BatchNorm2d(20)), ('relu2', nn.ReLU()),
        ('pool2', nn.MaxPool2d(2)),
        ('flatten', nn.Flatten()), ('linear1', nn.Linear(320, 50)), ('relu3', nn.ReLU()),
        ('linear2', nn.Linear(50, 10)), ('sigmoid', nn.Sigmoid())])).double()


def draw_values(lenet):
    """Floats, also where PyTorch begins with 0 and 1; some channels are turned upside down."""
    with torch.no_grad():
        for name, value in lenet.state_dict().items():
            if name.startswith('norm') and value.dim() == 1:
                value.uniform_(0.5, 1.5)
                if name.endswith('.weight'):
                    value[::3] *= -1
            if value.is_floating_point():
                value.copy_(value.float())


def floats_of(lenet):
    return OrderedDict((name, value.clone()) for name, value in lenet.state_dict().items()
                       if value.is_floating_point())


def run(lenet, images, doutputs, mode, tensors):
    images = images.clone().requires_grad_()
    lenet.zero_grad()
    outputs = lenet(images)
    outputs.backward(doutputs)
    tensors[mode + '.outputs'] = outputs.detach()
    tensors[mode + '.dimages'] = images.grad
    for name, parameter in lenet.named_parameters():
        tensors['%s.d%s' % (mode, name)] = parameter.grad.clone()


def write_safetensors(path, tensors):
    header, data = OrderedDict(), b''
    for name, tensor in tensors.items():
        bytes_of = tensor.numpy().astype(numpy.float32).tobytes()
        header[name] = {'dtype': 'F32', 'shape': list(tensor.shape),
                        'data_offsets': [len(data), len(data) + len(bytes_of)]}
        data += bytes_of
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + data)


def main():
    torch.manual_seed(1)
    lenet = make_lenet()
    draw_values(lenet)
    tensors = floats_of(lenet)
    images = torch.rand(IMAGES, 1, 28, 28)
    images[:, :, :3] = 0
    images[:, :, :, 25:] = 0
    tensors['images'] = images = images.double()
    tensors['doutputs'] = doutputs = torch.randn(IMAGES, 10).double()
    lenet.train()
    run(lenet, images, doutputs, 'train', tensors)
    for name, value in floats_of(lenet).items():
        if 'running' in name:
            tensors['train.' + name] = value
    lenet.eval()
    run(lenet, images, doutputs, 'test', tensors)
    write_safetensors(sys.argv[1], tensors)


main()
