// Creates the ONNX model that compares queries with all rows of a table, here called verses. A
// query has two rows of bytes. Each of these rows is multiplied with the verse in whole numbers,
// (byte - 128) x verse, and with the scale of the row. A score is the sum of the two products,
// divided by the verse's length, plus the bonus. The model returns the best scores.
// The verses are a constant of the model and not an input, so that onnxruntime optimizes their
// layout in memory once: this makes each comparison three times as fast. The constant stays in the
// vectors file, because bytes inside a model are copied several times while the model is loaded.
// ONNX files are protocol buffers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
import { basename } from 'node:path';

const types = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7 };

/**
 * Returns the bytes of the model.
 * Inputs: `query` (uint8, two rows per query, 128 is zero), `scales` (float, one per row), `bonus`
 * (float, queries x verses) and `limit` (int64). Outputs: `totals` (float, queries x limit, largest
 * first) and `verses` (int64, the verse of each score).
 * @param {object} options
 * @param {string} options.file the vectors file. The model has its name, the session has its folder
 * @param {number} options.rowsAt the position of the first row in the file, in bytes
 * @param {Float32Array} options.inverseLengths 1 / length of each verse, 0 for a verse of zeros
 * @param {number} options.dimensions
 */
export function scanModel({ file, rowsAt, inverseLengths, dimensions }) {
  const count = inverseLengths.length;
  return message(
    number(1, 10),
    field(
      7,
      message(
        node('Transpose', ['rows'], ['columns'], attribute('perm', 7, number(8, 1), number(8, 0))),
        node('MatMulInteger', ['query', 'columns', 'middle'], ['products']),
        node('Cast', ['products'], ['numbers'], attribute('to', 2, number(3, types.float))),
        node('Mul', ['numbers', 'scales'], ['scaled']),
        node('Reshape', ['scaled', 'halves'], ['paired']),
        node('ReduceSum', ['paired', 'second'], ['sums'], attribute('keepdims', 2, number(3, 0))),
        node('Mul', ['sums', 'inverse'], ['cosines']),
        node('Add', ['cosines', 'bonus'], ['scores']),
        node('TopK', ['scores', 'limit'], ['totals', 'verses']),
        text(2, 'scan'),
        field(5, tensor('rows', [count, dimensions], types.int8, valuesInFile(file, rowsAt, count * dimensions))),
        field(5, tensor('middle', [], types.uint8, values(Uint8Array.of(128)))),
        field(5, tensor('halves', [3], types.int64, values(BigInt64Array.of(-1n, 2n, BigInt(count))))),
        field(5, tensor('second', [1], types.int64, values(BigInt64Array.of(1n)))),
        field(5, tensor('inverse', [count], types.float, values(inverseLengths))),
        field(11, value('query', types.uint8, ['rows', dimensions])),
        field(11, value('scales', types.float, ['rows', 1])),
        field(11, value('bonus', types.float, ['queries', count])),
        field(11, value('limit', types.int64, [1])),
        field(12, value('totals', types.float, ['queries', 'found'])),
        field(12, value('verses', types.int64, ['queries', 'found'])),
      ),
    ),
    field(8, number(2, 21)),
  );
}

const node = (operator, inputs, outputs, ...attributes) =>
  field(
    1,
    message(
      ...inputs.map((name) => text(1, name)),
      ...outputs.map((name) => text(2, name)),
      text(4, operator),
      ...attributes,
    ),
  );

const attribute = (name, type, ...values) => field(5, message(text(1, name), ...values, number(20, type)));

const tensor = (name, shape, type, data) =>
  message(...shape.map((size) => number(1, size)), number(2, type), text(8, name), data);

const values = (data) => field(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength));

const value = (name, type, shape) => {
  const sizes = shape.map((size) => field(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return message(text(1, name), field(2, field(1, message(number(1, type), field(2, message(...sizes))))));
};

/**
 * Returns a reference to values that are stored in another file, in the folder that the onnxruntime session gets as an
 * option.
 */
const valuesInFile = (file, from, length) => {
  const entry = (key, content) => field(13, message(text(1, key), text(2, String(content))));
  return message(entry('location', basename(file)), entry('offset', from), entry('length', length), number(14, 1));
};

const message = (...fields) => Buffer.concat(fields);

const field = (tag, content) => Buffer.concat([varint(tag * 8 + 2), varint(content.length), content]);

const text = (tag, characters) => field(tag, Buffer.from(characters));

const number = (tag, whole) => Buffer.concat([varint(tag * 8), varint(whole)]);

function varint(whole) {
  const digits = [];
  for (; whole > 127; whole = Math.floor(whole / 128)) digits.push((whole % 128) + 128);
  return Buffer.from([...digits, whole]);
}
