"""Learns how near two verses are from verses whose cross references are known. compute-references.mjs runs it.

Each stem, Strong's number and pair of neighbouring numbers has a place of 128 numbers. A verse's place is the weighted sum of
those of its words, plus a linear map of its vector and of its neighbours' vectors. Training moves known references closer to
their verse than drawn verses are. A verse also has a popularity: how often any verse refers to it.

The verses are in four groups, and each of four models learns from three of them. So rank-references.py can learn how much a
distance says from verses that its model has not seen. python3 learn-distance.py WORK FILE [--all] writes WORK/distance-0.npz
and so on. Without --all, half of the verses of FILE are left to be measured.
"""
import json
import math
import sys
import zlib
from collections import Counter

import numpy as np
import torch

DIMENSIONS = 128
EPOCHS = 5
GROUPS = 4
BATCH = 384
DRAWN_VERSES = 2500
RATE = 0.003
SHARE_OF_WORDS_LEFT_OUT = 0.3
TRANSLATIONS = ('eng-kjv', 'eng-web', 'spa-rv1909')


class Words:
    """The words of all verses as one row of numbers, with a weight each: rare words count more."""

    def __init__(self, verses):
        counts = [Counter(self._words(verse)) for verse in verses]
        frequency = Counter(word for count in counts for word in count)
        maximum = {'pair': 300}
        kept = sorted(word for word, n in frequency.items() if 2 <= n <= maximum.get(word[0], 6000))
        number = {word: n for n, word in enumerate(kept)}
        rows, weights, self.starts = [], [], [0]
        for count in counts:
            words = [word for word in count if word in number]
            values = [(1 + math.log(count[word])) * math.log(len(verses) / frequency[word]) for word in words]
            length = math.sqrt(sum(value * value for value in values) + 75)  # 75 keeps short verses from being too heavy
            rows += [number[word] for word in words]
            weights += [value / length for value in values]
            self.starts.append(len(rows))
        self.size = len(kept)
        self.starts = np.array(self.starts)
        self.rows = np.array(rows)
        self.weights = np.array(weights, np.float32)

    @staticmethod
    def _words(verse):
        numbers = verse.get('strongs', [])
        yield from (('strongs', number) for number in numbers)
        yield from (('pair', *pair) for pair in zip(numbers, numbers[1:]))
        for translation in TRANSLATIONS:
            yield from ((translation, stem) for stem in verse.get(translation, []) if stem[0] != '.')

    def of(self, verses):
        """Returns the words of some verses, where each verse begins, and the weights."""
        sizes = self.starts[verses + 1] - self.starts[verses]
        begins = np.cumsum(sizes) - sizes
        places = np.repeat(self.starts[verses] - begins, sizes) + np.arange(sizes.sum())
        return tuple(map(torch.from_numpy, (self.rows[places], begins, self.weights[places])))

    def principal_axes(self):
        """Returns a first place of each word, so that verses with the same words are near (latent semantic analysis)."""
        verses = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        shape = (len(self.starts) - 1, self.size)
        matrix = torch.sparse_coo_tensor(np.stack([verses, self.rows]), torch.from_numpy(self.weights), shape).coalesce()
        torch.manual_seed(0)
        axes = torch.randn(self.size, DIMENSIONS + 20)
        for _ in range(3):
            axes = torch.linalg.qr(torch.sparse.mm(matrix, axes))[0]
            axes = torch.linalg.qr(torch.sparse.mm(matrix.t(), axes))[0]
        rotation = torch.linalg.svd(torch.sparse.mm(matrix, axes), full_matrices=False)[2]
        return (axes @ rotation.t())[:, :DIMENSIONS]


class Distance(torch.nn.Module):
    def __init__(self, words, axes, vectors):
        super().__init__()
        self.words, self.vectors = words, vectors
        # The last column is the word's part of the verse's popularity.
        self.table = torch.nn.Parameter(torch.cat([axes, torch.zeros(len(axes), 1)], 1))
        self.map = torch.nn.Linear(vectors.shape[1], DIMENSIONS, bias=False)
        torch.nn.init.orthogonal_(self.map.weight)
        self.popularity = torch.nn.Linear(vectors.shape[1], 1)
        torch.nn.init.zeros_(self.popularity.weight)
        self.shares = torch.nn.Parameter(torch.tensor([1.0, 0.7]))
        self.sharpness = torch.nn.Parameter(torch.tensor(2.5))

    def forward(self, verses, left_out=0.0):
        rows, begins, weights = self.words.of(verses)
        vectors = self.vectors[torch.from_numpy(verses)]
        if left_out:
            weights = weights * (torch.rand(len(weights)) > left_out).float() / (1 - left_out)
            vectors = torch.nn.functional.dropout(vectors, left_out / 2)
        summed = torch.nn.functional.embedding_bag(rows, self.table, begins, mode='sum', per_sample_weights=weights)
        places = self.shares[0] * summed[:, :-1] + self.shares[1] * self.map(vectors)
        places = places / torch.sqrt((places * places).sum(1, keepdim=True) + 0.02)
        return places * torch.exp(self.sharpness / 2), summed[:, -1] + self.popularity(vectors)[:, 0]


def loss_of(model, verses, references, near, random):
    """A softmax for each reference of the verses: it is to be nearer than the drawn verses and the others' references."""
    pairs = [(row, target) for row, verse in enumerate(verses) for target in references[verse]]
    drawn = random.integers(0, len(model.words.starts) - 1, DRAWN_VERSES)
    shown = np.unique(np.concatenate([verses, [target for _, target in pairs], drawn]))
    column = {int(verse): n for n, verse in enumerate(shown)}
    places, popularity = model(shown, SHARE_OF_WORDS_LEFT_OUT)
    own = torch.tensor([column[int(verse)] for verse in verses])
    scores = places[own] @ places.t() + popularity[None]
    hidden = torch.zeros_like(scores)
    hidden[torch.arange(len(verses)), own] = -1e4
    right = [(row, column[other]) for row, verse in enumerate(verses) for other in near[verse] if other in column]
    hidden[tuple(zip(*right))] = -1e4
    rest = torch.logsumexp(scores + hidden, 1)
    rows = torch.tensor([row for row, _ in pairs])
    scored = scores[rows, torch.tensor([column[target] for _, target in pairs])]
    weights = torch.tensor([1 / math.sqrt(len(references[verses[row]])) for row, _ in pairs])
    return (weights * (torch.logaddexp(scored, rest[rows]) - scored)).sum() / weights.sum()


def learn(words, axes, vectors, references, near, seed):
    """Returns the place and the popularity of every verse. `near` has the references with the verses beside them."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Distance(words, axes, torch.from_numpy(vectors))
    begun = model.table.detach().clone()
    optimizer = torch.optim.Adam(model.parameters())
    verses = np.array(sorted(references))
    steps = EPOCHS * math.ceil(len(verses) / BATCH)
    step = 0
    for _ in range(EPOCHS):
        random.shuffle(verses)
        for start in range(0, len(verses), BATCH):
            optimizer.param_groups[0]['lr'] = RATE * max(0.05, 1 - step / steps)
            step += 1
            loss = loss_of(model, verses[start : start + BATCH], references, near, random)
            loss = loss + 1e-4 * ((model.table - begun) ** 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        parts = [model(part) for part in np.array_split(np.arange(len(words.starts) - 1), 10)]
    return tuple(torch.cat(part).numpy() for part in zip(*parts))


def read_vectors(work, settings, number):
    """Returns the vector of each verse and the mean of its neighbours' vectors in one row."""
    rows = np.fromfile(f'{work}/vectors.bin', dtype=np.int8).reshape(-1, settings['dimensions']).astype(np.float32)
    own = np.zeros((len(number), rows.shape[1]), np.float32)
    for ordinal, row in zip(settings['vectorOrdinals'], rows):
        if ordinal in number:
            own[number[ordinal]] += row / np.linalg.norm(row)
    own -= own.mean(0)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6)
    beside = np.zeros_like(own)
    beside[1:] += own[:-1]
    beside[:-1] += own[1:]
    beside /= np.maximum(np.linalg.norm(beside, axis=1, keepdims=True), 1e-6)
    return np.concatenate([own, beside / 2], 1)


def read_references(file, settings, number, all_verses):
    """Returns the references of the verses to learn from: all, or those whose checksum is even."""
    def parse(text):
        book, place = text.split(' ')
        chapter, verse = place.split(':')
        return number.get((settings['books'].index(book) + 1) * 1000000 + int(chapter) * 1000 + int(verse))

    references = {}
    for line in open(file, encoding='utf8'):
        verse, targets = line.rstrip().split('\t')
        verse = parse(verse)
        targets = sorted({target for target in map(parse, targets.split(';')) if target is not None})
        if verse is not None and targets and (all_verses or zlib.crc32(str(verse).encode()) % 2 == 0):
            references[verse] = targets
    return references


def main(work, file, *options):
    torch.set_num_threads(1)
    settings = json.load(open(f'{work}/settings.json'))
    verses = [json.loads(line) for line in open(f'{work}/verses.jsonl', encoding='utf8')]
    number = {verse['ordinal']: n for n, verse in enumerate(verses)}
    references = read_references(file, settings, number, '--all' in options)
    near = {verse: {target + n for target in targets for n in (-1, 0, 1)} for verse, targets in references.items()}
    words, vectors = Words(verses), read_vectors(work, settings, number)
    axes = words.principal_axes()
    group = {verse: zlib.crc32(f'group {verse}'.encode()) % GROUPS for verse in references}
    for left_out in range(GROUPS):
        seen = {verse: targets for verse, targets in references.items() if group[verse] != left_out}
        places, popularity = learn(words, axes, vectors, seen, near, left_out)
        unseen = [verse for verse in references if group[verse] == left_out]
        np.savez(f'{work}/distance-{left_out}.npz', places=places, popularity=popularity, unseen=unseen)
        print('model', left_out, 'has learned', file=sys.stderr)


if __name__ == '__main__':
    main(*sys.argv[1:])
