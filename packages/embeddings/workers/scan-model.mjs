// Writes the model that compares: scores = (query - 128) x verses, in whole numbers. The verses are a constant of it rather than
// an input, for then onnxruntime lays them out once for the processor at hand and each comparison takes a third of the time.
// ONNX files are protocol buffers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

const types = { uint8: 2, int8: 3, int32: 6 };

/** @returns the bytes of a model: `query` (uint8, questions x dimensions, 128 is zero) -> `scores` (int32, questions x count) */
export function scanModel({ columns, count, dimensions }) {
  const graph = message(
    field(1, message(text(1, 'query'), text(1, 'verses'), text(1, 'middle'), text(2, 'scores'), text(4, 'MatMulInteger'))),
    text(2, 'scan'),
    field(5, tensor('middle', [], types.uint8, Uint8Array.of(128))),
    field(5, tensor('verses', [dimensions, count], types.int8, columns)),
    field(11, value('query', types.uint8, ['questions', dimensions])),
    field(12, value('scores', types.int32, ['questions', count])),
  );
  const opset = message(number(2, 21));
  return Buffer.concat(message(number(1, 10), field(7, graph), field(8, opset)));
}

const tensor = (name, shape, type, data) => message(...shape.map((size) => number(1, size)), number(2, type), text(8, name), field(9, [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]));

const value = (name, type, shape) => {
  const sizes = shape.map((size) => field(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return message(text(1, name), field(2, field(1, message(number(1, type), field(2, message(...sizes))))));
};

// A message is a list of buffers until the end: the verses are many megabytes, and are copied once.
const message = (...fields) => fields.flat();

const field = (tag, buffers) => [varint(tag * 8 + 2), varint(buffers.reduce((sum, { length }) => sum + length, 0)), ...buffers];

const text = (tag, characters) => field(tag, [Buffer.from(characters)]);

const number = (tag, whole) => [varint(tag * 8), varint(whole)];

function varint(whole) {
  const bytes = [];
  for (; whole > 127; whole = Math.floor(whole / 128)) bytes.push((whole % 128) + 128);
  return Buffer.from([...bytes, whole]);
}
