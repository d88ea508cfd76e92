import type { KeyRequest } from '@lectern/keys';
import { KeyRequestError, maxCharacters } from '@lectern/keys';
import { equalsInConstantTime } from '../forms/csrf';
import type { FormErrors, FormField } from '../forms/fields';
import { checkText, hasErrors, renderField } from '../forms/fields';
import { html } from '../html';
import { redirect } from '../page';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './layout';
import {
  idPattern,
  operator,
  renderConfirmation,
  renderDetails,
  renderUserParagraphs,
  renderUserText,
  sendAdminPage,
} from './layout';
import type { KeyRequestHandler } from './requests';
import { createWithKeyRequest, keyRequestPath, sendKeyRequestPage } from './requests';

/**
 * Runs functions with the same key one after another.
 * Functions with different keys run concurrently.
 *
 * If an operator clicks a button twice, the second request therefore sees the effect of the first.
 * The mutex is local to this process. Between processes, the transactions of the store decide.
 */
function createKeyedMutex() {
  const tails = new Map<string, Promise<void>>();
  /** Settles as `run` settles. A rejection does not stop the functions that wait. */
  return async (key: string, run: () => Promise<void>): Promise<void> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(run);
    const tail = result.catch(() => undefined);
    tails.set(key, tail);
    try {
      await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

const actionPattern = (action: string): RegExp => new RegExp(`^/admin/requests/${idPattern}/${action}$`);

/**
 * The routes that approve or reject a key request, or send its mail again.
 * A second decision changes nothing: the operator sees the first decision, with status 409.
 */
export function createKeyRequestDecisionRoutes(options: AdminRouteOptions): AdminRoute[] {
  const { keys } = options;
  const withKeyRequest = createWithKeyRequest(options);
  const runExclusively = createKeyedMutex();

  /**
   * Runs the decision and redirects to the request, whose page shows the flash message for `done`.
   * If the store rejects a field, `showForm` shows the error; other rejections get status 409.
   */
  const decide = async (
    context: AdminContext,
    done: string,
    decision: () => Promise<unknown>,
    showForm?: (errors: FormErrors) => void,
  ): Promise<void> => {
    try {
      await decision();
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      if (error.field !== null && showForm) showForm({ [error.field]: error.message });
      else sendConflict(context, await keys.showRequest(context.id), error.message);
      return;
    }
    redirect(context.response, `${keyRequestPath(context.id)}?done=${done}`);
  };

  const approve: KeyRequestHandler = async (context, request) => {
    const documents = context.form.value('documents');
    const allowed = documents === '' ? 'any' : documents;
    if (allowed === 'any' || allowed === 'trusted')
      await decide(context, 'approved', () => keys.approve(context.id, operator, allowed));
    else
      sendKeyRequestPage(context, request, {
        status: 422,
        flashMessage: { text: 'Check the box, or leave it unchecked.', kind: 'failure' },
      });
  };

  const reject: KeyRequestHandler = async (context, request) => {
    const reason = context.form.multilineValue('reason');
    const showForm = (errors: FormErrors) => showRejectionForm(context, request, reason, errors);
    const error =
      request.state === 'pending'
        ? checkText(reason, { what: 'the reason', maxLength: maxCharacters.reason, multiline: true })
        : null;
    if (error === null)
      await decide(context, 'rejected', () => keys.reject(context.id, operator, reason.trim()), showForm);
    else showForm({ reason: error });
  };

  const resend: KeyRequestHandler = (context) =>
    runExclusively(context.id, async () => {
      const request = await keys.showRequest(context.id);
      if (equalsInConstantTime(context.form.value('seen'), mailVersion(request)))
        await decide(context, 'resent', () => keys.resend(context.id, operator));
      else
        sendConflict(
          context,
          request,
          'Nothing was done: after you opened the confirmation, the mail was sent again already. Its outcome is below.',
        );
    });

  return [
    {
      pattern: actionPattern('approve'),
      get: ({ response, id }) => redirect(response, keyRequestPath(id)),
      post: withKeyRequest(approve),
    },
    {
      pattern: actionPattern('reject'),
      get: withKeyRequest((context, request) => showRejectionForm(context, request, '', {})),
      post: withKeyRequest(reject),
    },
    { pattern: actionPattern('resend'), get: withKeyRequest(showResendForm), post: withKeyRequest(resend) },
  ];
}

/** Sends the request's page with status 409 and the reason. */
const sendConflict = (context: AdminContext, request: KeyRequest, text: string): void =>
  sendKeyRequestPage(context, request, { status: 409, flashMessage: { text, kind: 'failure' } });

/**
 * Returns a version that changes with each sent mail and each issued key. So a confirmation is
 * valid only for the state that the operator saw.
 */
const mailVersion = ({ state, keyId, deliveredAt }: KeyRequest): string =>
  `${state} ${keyId ?? 'none'} ${deliveredAt ?? 'never'}`;

const reasonField: FormField = {
  name: 'reason',
  label: 'Reason',
  kind: 'multiline',
  autocomplete: 'off',
  hint: `The applicant receives this text unchanged. At most ${maxCharacters.reason} characters.`,
};

function showRejectionForm(context: AdminContext, request: KeyRequest, reason: string, errors: FormErrors): void {
  if (request.state !== 'pending') {
    sendConflict(context, request, `This request is ${request.state} already.`);
    return;
  }
  const details = renderDetails([
    ['Email', renderUserText(request.email)],
    ['Purpose', renderUserParagraphs(request.description)],
  ]);
  const confirmation = renderConfirmation(context.session, {
    text: 'The applicant gets the reason by email. A rejection cannot be undone; the applicant may send another request.',
    action: `${keyRequestPath(request.id)}/reject`,
    label: 'Reject the request',
    cancelPath: keyRequestPath(request.id),
    isDangerous: true,
    fields: renderField(reasonField, reason, errors),
  });
  sendAdminPage(context, {
    title: `Reject the request of ${request.name}?`,
    status: hasErrors(errors) ? 422 : 200,
    errors,
    main: html`${details}${confirmation}`,
  });
}

const showResendForm: KeyRequestHandler = (context, request) => {
  if (request.state === 'pending') {
    sendConflict(context, request, 'This request is pending: there is no mail to send again.');
    return;
  }
  sendAdminPage(context, {
    title: `Send the mail to ${request.name} again?`,
    main: renderConfirmation(context.session, {
      text:
        request.state === 'approved'
          ? 'The service does not store keys, so this mail brings a new key. The key of the first mail stops working at once.'
          : 'The mail with the reason is sent again.',
      action: `${keyRequestPath(request.id)}/resend`,
      label: 'Send it again',
      cancelPath: keyRequestPath(request.id),
      fields: html`<input type="hidden" name="seen" value="${mailVersion(request)}">`,
    }),
  });
};
