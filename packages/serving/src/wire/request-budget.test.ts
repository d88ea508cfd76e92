import { createWorkScheduler } from '../index';
import { createWriteBudgetHeaders, readBudgetHeaders, readCpuTime, reportCpuTime } from './request-budget';

const scheduler = createWorkScheduler({ requestCpuMs: 2_000 });

test('a request to a subgraph names its client by pseudonyms, and its budget only once a tenth of the budget is used', () => {
  const write = createWriteBudgetHeaders();
  const work = scheduler.createBudget({ clients: ['key', '192.0.2.1'] });
  const headers = write(work);
  expect(headers).toEqual(['x-lectern-clients', expect.stringMatching(/^[\w-]{16} [\w-]{16}$/)]);
  expect(JSON.stringify(headers)).not.toMatch(/key|192\.0\.2\.1/);
  work.add(201);
  expect(write(work)).toEqual([...headers, 'x-lectern-cpu-ms', '1799.0']);
});

test('a request of a high cost tells the subgraph its longer budget', () => {
  const work = scheduler.createBudget();
  work.allowCost(3_000);
  const [name = '', value] = createWriteBudgetHeaders()(work);
  expect(readBudgetHeaders({ [name]: value }).maxMs).toBe(21_000);
});

test('a subgraph reports the computing time of a request from 1 ms on', () => {
  const work = scheduler.createBudget();
  work.add(0.9);
  expect(readCpuTime(reportCpuTime(work))).toBe(0);
  work.add(4.1);
  expect(readCpuTime(reportCpuTime(work))).toBe(5);
});
