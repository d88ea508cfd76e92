import { createValueBudget, createVerseBudget } from './request-budgets';

test('the limit on the verses of a request rejects a list that would exceed it, and still accepts a shorter list', () => {
  const budget = createVerseBudget(10);
  budget.hold(8);
  expect(() => budget.hold(3)).toThrow('One request holds at most 10 verses');
  budget.hold(2);
  expect(() => budget.hold(1)).toThrow('at most 10 verses');
});

test('the limit on the field values of a response rejects the values that exceed it, and all later values', () => {
  const budget = createValueBudget(10);
  budget.consume(10);
  expect(() => budget.consume(1)).toThrow('at most 10 values');
  expect(() => budget.consume(0)).toThrow('at most 10 values');
});
