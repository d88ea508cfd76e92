import type { KeyRequest } from '@lectern/keys';
import { KeyRequestError, maxCharacters } from '@lectern/keys';
import type { FieldErrors } from '../forms/form-field';
import { renderField, validateText } from '../forms/form-field';
import { equalsInConstantTime } from '../forms/same-text';
import { redirect } from '../forms/see-other';
import { html } from '../html';
import { renderConfirmation, renderDetails, renderUserText, sendAdminPage } from './admin-layout';
import type { AdminContext, AdminRoute, AdminRouteOptions } from './admin-route';
import { idPattern, operator } from './admin-route';
import { createWithKeyRequest } from './key-request-of-path';
import { keyRequestPath, sendKeyRequestPage } from './key-request-review';
import { createKeyedMutex } from './keyed-mutex';

/** Deciding on requests. Whoever decides twice is shown what was decided first, and nothing is done again. */
export function createKeyRequestDecisionRoutes(parts: AdminRouteOptions): AdminRoute[] {
  const { keys } = parts;
  const withRequest = createWithKeyRequest(parts);
  const inTurn = createKeyedMutex();
  const pathOf = (act: string): RegExp => new RegExp(`^/admin/requests/${idPattern}/${act}$`);

  /** Does it and shows the request, or shows why it cannot be done. A fault of a field goes back to its form. */
  const decide = async (
    visit: AdminContext,
    done: string,
    act: () => Promise<unknown>,
    showForm?: (faults: FieldErrors) => void,
  ): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      if (error.field !== null && showForm) showForm({ [error.field]: error.message });
      else
        sendKeyRequestPage(visit, await keys.showRequest(visit.id), {
          status: 409,
          notice: { text: error.message, kind: 'bad' },
        });
      return;
    }
    redirect(visit.response, `${keyRequestPath(visit.id)}?done=${done}`);
  };

  return [
    {
      pattern: pathOf('approve'),
      get: ({ response, id }) => redirect(response, keyRequestPath(id)),
      post: withRequest((visit) => decide(visit, 'approved', () => keys.approve(visit.id, operator))),
    },
    {
      pattern: pathOf('reject'),
      get: withRequest((visit, request) => showRejection(visit, request, '', {})),
      post: withRequest(async (visit, request) => {
        const reason = visit.form.lines('reason');
        const fault =
          request.state === 'pending'
            ? validateText(reason, { what: 'the reason', most: maxCharacters.reason, lines: true })
            : null;
        const showForm = (faults: FieldErrors) => showRejection(visit, request, reason, faults);
        if (fault === null)
          await decide(visit, 'rejected', () => keys.reject(visit.id, operator, reason.trim()), showForm);
        else showForm({ reason: fault });
      }),
    },
    {
      pattern: pathOf('resend'),
      get: withRequest(showResending),
      post: withRequest((visit) =>
        inTurn(visit.id, async () => {
          const request = await keys.showRequest(visit.id);
          if (equalsInConstantTime(visit.form.value('seen'), mailsSoFar(request)))
            await decide(visit, 'resent', () => keys.resend(visit.id, operator));
          else
            sendKeyRequestPage(visit, request, {
              status: 409,
              notice: {
                text: 'Nothing was done: since the page before was opened, the mail was sent again already. Its outcome stands below.',
                kind: 'bad',
              },
            });
        }),
      ),
    },
  ];
}

/** Changes with every mail that goes out and every key that is made for it: a confirmation is good for what its reader saw. */
const mailsSoFar = ({ state, keyId, deliveredAt }: KeyRequest): string =>
  `${state} ${keyId ?? 'none'} ${deliveredAt ?? 'never'}`;

function showRejection(visit: AdminContext, request: KeyRequest, reason: string, faults: FieldErrors): void {
  if (request.state !== 'pending') {
    sendKeyRequestPage(visit, request, {
      status: 409,
      notice: { text: `This request is ${request.state} already.`, kind: 'bad' },
    });
    return;
  }
  sendAdminPage(visit, {
    title: `Reject the request of ${request.name}?`,
    status: Object.keys(faults).length > 0 ? 422 : 200,
    faults,
    main: html`${renderDetails([
      ['Email', renderUserText(request.email)],
      ['What for', html`<div class="foreign" dir="auto">${request.description}</div>`],
    ])}${renderConfirmation(visit.session, {
      text: 'The applicant gets the reason by email. A rejection cannot be taken back; the applicant may ask again.',
      action: `${keyRequestPath(request.id)}/reject`,
      label: 'Reject the request',
      back: keyRequestPath(request.id),
      isDangerous: true,
      fields: renderField(
        {
          name: 'reason',
          label: 'Reason',
          kind: 'lines',
          autocomplete: 'off',
          hint: `The applicant reads this as it stands. At most ${maxCharacters.reason} characters.`,
        },
        reason,
        faults,
      ),
    })}`,
  });
}

function showResending(visit: AdminContext, request: KeyRequest): void {
  if (request.state === 'pending') {
    sendKeyRequestPage(visit, request, {
      status: 409,
      notice: { text: 'This request is pending: there is no mail to send again.', kind: 'bad' },
    });
    return;
  }
  sendAdminPage(visit, {
    title: `Send the mail to ${request.name} again?`,
    main: renderConfirmation(visit.session, {
      text:
        request.state === 'approved'
          ? 'The key of the first mail is kept nowhere, so this mail brings a fresh one. The one before stops working at once.'
          : 'The mail with the reason goes out once more.',
      action: `${keyRequestPath(request.id)}/resend`,
      label: 'Send it again',
      back: keyRequestPath(request.id),
      fields: html`<input type="hidden" name="seen" value="${mailsSoFar(request)}">`,
    }),
  });
}
