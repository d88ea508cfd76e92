import { countVerses } from './index';

test.each([
  ['John 3:16', 1],
  ['1 Cor 13.4', 1],
  ['John 3', 36],
  ['Psalms 1-150', 2_461],
  ['Gen-Rev', 31_102],
  ['John 3:1-999999999', 36],
  ['Ps 119; Ps 119:5-10, 170-180', 176],
  ['Juan 3,16', 1],
  ['Rev-Gen', 404 + 1_533],
  ['John 3; Foo 1', 0],
  ['the Sermon on the Mount', 111],
  ['la zarza ardiente', countVerses('the burning bush')],
  ['John 99', 0],
  ['', 0],
  ['Psalms;'.repeat(29).slice(0, 201), 0],
])('countVerses counts each verse of the reference %j once: %i', (reference, count) => {
  expect(countVerses(reference)).toBe(count);
});

test('countVerses returns the larger count for "John 3,16", which may mean one verse or two chapters', () => {
  expect(countVerses('John 3,16')).toBe(36 + 33);
});
