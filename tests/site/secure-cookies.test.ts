import { useStarted } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { createBrowserClient } from '../support/form-client';

const lectern = useStarted(() => startEmbeddedLectern({ operatorPassword, secureCookies: true }));

test('the two cookies of operator sign-in have the prefix __Host- and the attribute Secure if the option secureCookies is on', async () => {
  const client = createBrowserClient(lectern.origin);
  const { headers } = await client.submitForm('/admin/sign-in', { password: operatorPassword });
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-lectern-known-browser=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^__Host-lectern-operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ]);
  expect((await client.get('/admin/keys')).status).toBe(200);
});

test('the CSRF cookie of the key request form has the prefix __Host- and the attribute Secure if the option secureCookies is on', async () => {
  const path = '/api-keys/request';
  const { headers } = await createBrowserClient(lectern.origin).get(path);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-lectern-form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
  ]);
  const fields = { name: 'Ada Lovelace', email: 'ada@example.org', description: 'A reading plan for my family.' };
  expect((await createBrowserClient(lectern.origin).submitForm(path, fields)).status).toBe(303);
});
