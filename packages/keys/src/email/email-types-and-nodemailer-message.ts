export interface EmailMessage {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** The body of the message, as plain text. */
  readonly text: string;
}

/** Sends emails from one address: by SMTP, or into an outbox folder. */
export interface EmailSender {
  /** The sender's address, as MAIL_FROM has it. Replies reach this address. */
  readonly from: string;
  /**
   * Resolves when the message is handed over. Rejects within seconds, with a reason for the
   * operator, if sending fails.
   */
  send(message: EmailMessage): Promise<void>;
}

/**
 * Converts the message to nodemailer's form. Marks the message as automatic, so that no machine
 * replies. Forbids nodemailer to read files or URLs, because no message of ours has attachments.
 */
export const nodemailerMessage = (from: string, { to, subject, text }: EmailMessage) => ({
  from,
  to: { ...to },
  subject,
  text,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
