import type { KeyRequest } from '@lectern/keys';
import { KeyRequestError, maxCharacters } from '@lectern/keys';
import type { Faults } from '../forms/field';
import { faultOfText, renderField } from '../forms/field';
import { sameText } from '../forms/same-text';
import { seeOther } from '../forms/see-other';
import { html } from '../html';
import { renderConfirmation, renderFacts, renderForeign, sendAdminPage } from './admin-page';
import { createWithRequest } from './key-request-of-path';
import { createInTurn } from './keyed-mutex';
import { requestPath, sendRequest } from './request-views';
import type { AdminParts, AdminRoute, Visit } from './visit';
import { idPattern, operator } from './visit';

/** Deciding on requests. Whoever decides twice is shown what was decided first, and nothing is done again. */
export function createRequestActs(parts: AdminParts): AdminRoute[] {
  const { keys } = parts;
  const withRequest = createWithRequest(parts);
  const inTurn = createInTurn();
  const pathOf = (act: string): RegExp => new RegExp(`^/admin/requests/${idPattern}/${act}$`);

  /** Does it and shows the request, or shows why it cannot be done. A fault of a field goes back to its form. */
  const decide = async (
    visit: Visit,
    done: string,
    act: () => Promise<unknown>,
    showForm?: (faults: Faults) => void,
  ): Promise<void> => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      if (error.field !== null && showForm) showForm({ [error.field]: error.message });
      else
        sendRequest(visit, await keys.showRequest(visit.id), {
          status: 409,
          notice: { text: error.message, kind: 'bad' },
        });
      return;
    }
    seeOther(visit.response, `${requestPath(visit.id)}?done=${done}`);
  };

  return [
    {
      pattern: pathOf('approve'),
      get: ({ response, id }) => seeOther(response, requestPath(id)),
      post: withRequest((visit) => decide(visit, 'approved', () => keys.approve(visit.id, operator))),
    },
    {
      pattern: pathOf('reject'),
      get: withRequest((visit, request) => showRejection(visit, request, '', {})),
      post: withRequest(async (visit, request) => {
        const reason = visit.form.lines('reason');
        const fault =
          request.state === 'pending'
            ? faultOfText(reason, { what: 'the reason', most: maxCharacters.reason, lines: true })
            : null;
        const showForm = (faults: Faults) => showRejection(visit, request, reason, faults);
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
          if (sameText(visit.form.value('seen'), mailsSoFar(request)))
            await decide(visit, 'resent', () => keys.resend(visit.id, operator));
          else
            sendRequest(visit, request, {
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

function showRejection(visit: Visit, request: KeyRequest, reason: string, faults: Faults): void {
  if (request.state !== 'pending') {
    sendRequest(visit, request, {
      status: 409,
      notice: { text: `This request is ${request.state} already.`, kind: 'bad' },
    });
    return;
  }
  sendAdminPage(visit, {
    title: `Reject the request of ${request.name}?`,
    status: Object.keys(faults).length > 0 ? 422 : 200,
    faults,
    main: html`${renderFacts([
      ['Email', renderForeign(request.email)],
      ['What for', html`<div class="foreign" dir="auto">${request.description}</div>`],
    ])}${renderConfirmation(visit.session, {
      text: 'The applicant gets the reason by email. A rejection cannot be taken back; the applicant may ask again.',
      action: `${requestPath(request.id)}/reject`,
      label: 'Reject the request',
      back: requestPath(request.id),
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

function showResending(visit: Visit, request: KeyRequest): void {
  if (request.state === 'pending') {
    sendRequest(visit, request, {
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
      action: `${requestPath(request.id)}/resend`,
      label: 'Send it again',
      back: requestPath(request.id),
      fields: html`<input type="hidden" name="seen" value="${mailsSoFar(request)}">`,
    }),
  });
}
