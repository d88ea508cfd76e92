import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EmailMessage, EmailSender } from './email-sender';
import { nodemailerMessage } from './email-sender';

/**
 * Mail as .eml files in a folder, for an operator or a program to send. They hold keys, so folder and files are for their owner alone. A file has
 * this ending only when it is whole; names sort by time.
 */
export function createOutboxSender({
  folder,
  from,
  now,
}: {
  folder: string;
  from: string;
  now: () => Date;
}): EmailSender {
  const outbox = resolve(folder);
  return {
    from,
    async send(letter: EmailMessage) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await transport.sendMail(nodemailerMessage(from, letter));
      await mkdir(outbox, { recursive: true });
      await chmod(outbox, 0o700);
      const name = `${now().toISOString().replaceAll(':', '-')}-${randomUUID()}`;
      const draft = join(outbox, `${name}.part`);
      try {
        await writeFile(draft, message, { flag: 'wx', mode: 0o600, flush: true });
        await rename(draft, join(outbox, `${name}.eml`));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}
