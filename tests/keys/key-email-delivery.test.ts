import { readdirSync, statSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { KeyRequest } from '@lectern/keys';
import { defaultSmtpTimeoutMs, keysSettings, openKeysFromSettings } from '@lectern/keys';
import { readSettings, silentLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { SMTPServer } from 'smtp-server';
import { pepper } from '../support/embedded-lectern';
import { keysInEmail, readOutbox } from '../support/outbox';

/**
 * Runs an SMTP server while `use` runs, and collects the emails and recipients that it receives.
 */
async function withMailServer(
  options: SMTPServerOptions,
  use: (server: { port: number; received: Email[]; recipients: string[] }) => Promise<void>,
): Promise<void> {
  const received: Email[] = [];
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push(mail);
          done();
        });
      });
    },
    ...options,
  });
  // Without a listener, the error of a client that disconnects early would end the test process.
  server.on('error', () => undefined);
  const listening = await new Promise<AddressInfo>((resolve) => {
    const inner = server.listen(0, '127.0.0.1', () => resolve(inner.address() as AddressInfo));
  });
  try {
    await use({ port: listening.port, received, recipients });
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/**
 * The timeout in the test of mail servers that hang. Other tests have a longer timeout, because a
 * server that responds may take longer than this on a busy machine.
 */
const shortTimeoutMs = 1_000;

const openWithSettings = async (folder: string, env: NodeJS.ProcessEnv, smtpTimeoutMs = 60_000) =>
  openKeysFromSettings(
    readSettings(
      {
        LECTERN_DATA: folder,
        KEY_PEPPER: pepper,
        MAIL_FROM: 'The Keepers <keys@example.org>',
        PUBLIC_URL: 'https://bible.example.org/',
        ...env,
      },
      keysSettings,
    ),
    { log: silentLogger, smtpTimeoutMs },
  );

const form = {
  email: 'reader@example.net',
  name: 'María "Bcc" <x@y>, Ñandú',
  description: 'A plan.',
  environment: 'test',
} as const;

/**
 * Submits and approves a key request with the settings `env`. `tookMs` is the time of the approval.
 */
async function approvedWith(
  env: Record<string, string>,
  { smtpTimeoutMs, ...more }: Partial<Record<'name' | 'email', string>> & { smtpTimeoutMs?: number } = {},
): Promise<{ request: KeyRequest; tookMs: number }> {
  let outcome: { request: KeyRequest; tookMs: number } | null = null;
  await withFolder(async (folder) => {
    const keys = await openWithSettings(folder, env, smtpTimeoutMs);
    await keys.submitRequest({ ...form, ...more });
    const [waiting] = await keys.requests('pending');
    const began = performance.now();
    outcome = { request: await keys.approve(waiting?.id ?? '', 'olga'), tookMs: performance.now() - began };
    await keys.close();
  });
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

test('the approval email goes from MAIL_FROM only to the applicant, even if the name of the applicant contains another address', async () => {
  await withMailServer({ disabledCommands: ['STARTTLS'] }, async ({ port, received, recipients }) => {
    const { request } = await approvedWith({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(request).toMatchObject({ deliveryError: null, deliveredAt: expect.any(String) });
    expect(recipients).toEqual([form.email]);
    const [mail] = received;
    expect(mail).toMatchObject({
      from: { name: 'The Keepers', address: 'keys@example.org' },
      to: [{ name: form.name, address: form.email }],
      subject: 'Your test API key for Lectern',
    });
    expect([mail?.cc, mail?.bcc, mail?.attachments]).toEqual([undefined, undefined, []]);
    expect(mail?.text).toContain('curl https://bible.example.org/graphql');
    expect(keysInEmail(mail)).toHaveLength(1);
  });
});

/** The options of a mail server that accepts one user with one password. */
const login: SMTPServerOptions = {
  authOptional: false,
  onAuth: ({ username, password }, _, done) =>
    username === 'u@x' && password === 'p:w/d' ? done(null, { user: username }) : done(new Error('who?')),
};

test('the SMTP sender signs in over STARTTLS, and reports a wrong password and a self-signed certificate as delivery errors', async () => {
  await withMailServer(login, async ({ port, received }) => {
    // The certificate of the test server is self-signed, so this URL turns off its verification.
    const at = (password: string) =>
      `smtp://u%40x:${password}@127.0.0.1:${port}/?requireTLS=true&tls.rejectUnauthorized=false`;
    expect((await approvedWith({ SMTP_URL: at('p%3Aw%2Fd') })).request.deliveryError).toBeNull();
    expect((await approvedWith({ SMTP_URL: at('wrong') })).request.deliveryError).toMatch(/Invalid login/);
    expect(
      (await approvedWith({ SMTP_URL: `smtp://u%40x:p%3Aw%2Fd@127.0.0.1:${port}` })).request.deliveryError,
    ).toMatch(/certificate/);
    expect(received).toHaveLength(1);
  });
});

test('the SMTP sender connects without TLS to other hosts only with requireTLS=false, and hides the password', async () => {
  await withMailServer(
    { ...login, disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    async ({ port, received }) => {
      const { request } = await approvedWith({ SMTP_URL: `smtp://u%40x:p%3Aw%2Fd@0.0.0.0:${port}` });
      expect(request.deliveryError).toMatch(/STARTTLS/);
      expect(request.deliveryError).not.toContain('p:w/d');
      expect(
        (await approvedWith({ SMTP_URL: `smtp://u%40x:p%3Aw%2Fd@0.0.0.0:${port}/?requireTLS=false` })).request
          .deliveryError,
      ).toBeNull();
      expect(received).toHaveLength(1);
    },
  );
});

test('if the mail server rejects an email, the key request stores the error message of the mail server', async () => {
  const rejectingServer: SMTPServerOptions = {
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) => done(Object.assign(new Error('No such user here'), { responseCode: 550 })),
  };
  await withMailServer(rejectingServer, async ({ port }) => {
    const { request } = await approvedWith({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(request).toMatchObject({
      state: 'approved',
      deliveredAt: null,
      deliveryError: expect.stringContaining('550 No such user here'),
    });
  });
});

/** Starts a TCP server on a free port, in place of a mail server. */
async function listenTcp(onConnection: (socket: Socket) => void): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    // A socket that is not read emits no `close` event when the client disconnects.
    socket.on('error', () => undefined).resume();
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

test('the approval of a key request succeeds with a delivery error if the mail server is down or slow', async () => {
  const silent = await listenTcp(() => undefined);
  const talkative = await listenTcp((socket) => {
    socket.write('220 hello\r\n');
    const timer = setInterval(() => void socket.write('250-wait\r\n'), 100);
    socket.on('close', () => clearInterval(timer));
  });
  const unreachable = await listenTcp(() => undefined);
  unreachable.close();
  // One at a time: while another approval opens its store, a greeting that has arrived could be read too late.
  const outcomes: Awaited<ReturnType<typeof approvedWith>>[] = [];
  for (const { port } of [unreachable, silent, talkative])
    outcomes.push(await approvedWith({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { smtpTimeoutMs: shortTimeoutMs }));
  silent.close();
  talkative.close();
  expect(outcomes.map(({ request }) => [request.state, request.deliveredAt, request.deliveryError])).toEqual([
    ['approved', null, expect.stringContaining('ECONNREFUSED')],
    // nodemailer has two timeouts of the same length here. Either may end the wait.
    ['approved', null, expect.stringMatching(/^(Greeting never received|Timeout)$/)],
    ['approved', null, 'the mail server 127.0.0.1 took longer than 1000 ms'],
  ]);
  expect(defaultSmtpTimeoutMs).toBe(10_000);
  for (const { tookMs } of outcomes) expect(tookMs).toBeLessThan(20_000);
});

test('if SMTP_URL is not set, emails are written as complete files to the folder MAIL_OUTBOX, which only their owner can read', async () => {
  await withFolder(async (folder) => {
    const outbox = join(folder, 'a', 'box');
    const keys = await openWithSettings(folder, { MAIL_OUTBOX: outbox });
    for (const number of [1, 2]) await keys.submitRequest({ ...form, email: `${number}@example.net` });
    for (const { id } of await keys.requests()) await keys.approve(id, 'olga');
    await keys.close();
    const files = readdirSync(outbox);
    expect(files).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d.-]+Z-[0-9a-f-]{36}\.eml$/),
      expect.stringMatching(/\.eml$/),
    ]);
    expect([outbox, ...files.map((file) => join(outbox, file))].map((path) => statSync(path).mode & 0o077)).toEqual([
      0, 0, 0,
    ]);
    // The order of two key requests of the same millisecond is undefined, so the test sorts the
    // addresses.
    expect((await readOutbox(outbox)).map(({ to }) => to?.[0]?.address).sort()).toEqual([
      '1@example.net',
      '2@example.net',
    ]);
  });
});

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: undefined }, /MAIL_FROM must be too/],
  [{ SMTP_URL: 'mail.example.org:25' }, /SMTP_URL must be a URL such as/],
  [{ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: '' }, /MAIL_FROM must be an address/],
  [{ MAIL_FROM: 'a@b.c\r\nBcc: d@e.f' }, /MAIL_FROM must be an address/],
  [{ PUBLIC_URL: 'ftp://example.org' }, /PUBLIC_URL must be a URL that begins with http/],
  [{ DATABASE_URL: 'mysql://root:secret@host/db' }, /^DATABASE_URL must be a URL such as postgres:/],
  [{ KEY_PEPPER: 'short' }, /KEY_PEPPER must have at least 32/],
])('openKeysFromSettings rejects the settings %j and says what to set', async (env, words) => {
  await withFolder(async (folder) => {
    await expect(openWithSettings(folder, env)).rejects.toThrow(words);
  });
});
