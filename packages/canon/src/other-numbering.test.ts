import { numberingShape, numberings, resolveInNumbering, withoutNumberingMark } from './index';

test.each([
  ['Esther A:1', 'ESG 11:2', 'standard'],
  ['Esth A:11-17', 'ESG 11:12-12:6', 'standard'],
  ['Est C:12', 'ESG 14:1', 'standard'],
  ['Greek Esther F,11', 'ESG 11:1', 'standard'],
  ['Ps 90 (LXX) 1', 'Ps 90: 1', 'septuagint'],
  ['Isa 7:14 MT', 'Isa 7:14 ', 'hebrew'],
  ['Ps 22,1 Vulg.', 'Ps 22,1 ', 'vulgate'],
  ['Isa 7:14 MT 1:23', 'Isa 7:14 MT 1:23', null],
  ['Esther 4:14', 'Esther 4:14', null],
])('withoutNumberingMark takes the numbering out of %j', (written, text, numbering) =>
  expect(withoutNumberingMark(written)).toEqual({ text, numbering }),
);

test('resolveInNumbering returns the same verses for a chapter by its own numbering, in every numbering', () => {
  for (const numbering of numberings) {
    const shape = numberingShape(numbering);
    const point = { book: 'PSA', chapter: 9, verse: null } as const;
    const { reference } = resolveInNumbering([{ start: point, end: point }], numbering, numbering, shape) as {
      reference: string;
    };
    expect(`${numbering} ${reference}`).toBe(`${numbering} Psalms 9`);
  }
});
