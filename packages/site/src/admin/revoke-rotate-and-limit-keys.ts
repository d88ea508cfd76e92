import type { KeyRecord } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { FormErrors } from '../forms/form-fields-and-messages';
import { hasErrors } from '../forms/form-fields-and-messages';
import { html } from '../html';
import { redirect } from '../send-page-with-security-headers';
import { renderConfirmation, renderDetails, sendAdminPage } from './admin-layout';
import type { AdminContext, AdminHandler, AdminRoute, AdminRouteOptions } from './admin-route-types';
import { idPattern, operator } from './admin-route-types';
import type { LimitFields } from './issue-key-page';
import { limitFields, sendIssuedKey } from './issue-key-page';
import type { KeyHandler } from './key-list-and-key-page';
import { createWithKey, keyDetails, keyPath, sendKeyPage } from './key-list-and-key-page';

const actionPattern = (action: string): RegExp => new RegExp(`^/admin/keys/${idPattern}/${action}$`);

/**
 * The routes that revoke a key, replace a key and change its limits. A GET shows a form or asks for
 * confirmation, and a POST performs the action.
 */
export function createKeyActionRoutes(options: AdminRouteOptions): AdminRoute[] {
  const { keys } = options;
  const withKey = createWithKey(options);

  /**
   * Runs the handler for an active key. A revoked key cannot change, so its page is sent with
   * status 409.
   */
  const withActiveKey = (handler: KeyHandler): AdminHandler =>
    withKey((context, key) => (key.revokedAt === null ? handler(context, key) : sendAlreadyRevoked(context, key)));

  /**
   * Runs the action.
   * If the store rejects the action, sends the key's page with the reason and status 409.
   */
  const perform = async (context: AdminContext, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      await sendKeyPage(context, await keys.show(context.id), {
        status: 409,
        flashMessage: { text: error.message, kind: 'failure' },
      });
    }
  };

  return [
    {
      pattern: actionPattern('revoke'),
      get: withActiveKey(confirmRevocation),
      post: withKey((context) =>
        perform(context, async () => {
          await keys.revoke(context.id, operator);
          redirect(context.response, `${keyPath(context.id)}?done=revoked`);
        }),
      ),
    },
    {
      pattern: actionPattern('rotate'),
      get: withActiveKey(confirmRotation),
      post: withKey((context) =>
        perform(context, async () => {
          sendIssuedKey(context, await keys.rotate(context.id, operator), 'The key it replaces is revoked.');
        }),
      ),
    },
    {
      pattern: actionPattern('allow'),
      get: withActiveKey((context, key) => sendLimitsForm(context, key, limitFields.of(key), {})),
      post: withActiveKey(async (context, key) => {
        const fields = limitFields.read(context.form);
        const errors = limitFields.validate(fields);
        if (hasErrors(errors)) sendLimitsForm(context, key, fields, errors);
        else
          await perform(context, async () => {
            await keys.setLimits(context.id, limitFields.parse(fields), operator);
            redirect(context.response, `${keyPath(context.id)}?done=allowed`);
          });
      }),
    },
  ];
}

const sendAlreadyRevoked: KeyHandler = (context, key) =>
  sendKeyPage(context, key, {
    status: 409,
    flashMessage: { text: 'This key is revoked already.', kind: 'failure' },
  });

const confirmRevocation: KeyHandler = (context, key) =>
  sendConfirmation(context, key, {
    title: `Revoke the key of ${key.name}?`,
    text: 'Every gateway rejects the key from the next request on. This cannot be undone; its holder may get another key.',
    action: 'revoke',
    label: 'Revoke the key',
  });

const confirmRotation: KeyHandler = (context, key) =>
  sendConfirmation(context, key, {
    title: `Give ${key.name} a new key?`,
    text: 'The new key is shown to you once, so that you can hand it over. The old key is rejected from then on.',
    action: 'rotate',
    label: 'Make a new key',
  });

function sendConfirmation(
  context: AdminContext,
  key: KeyRecord,
  { title, text, action, label }: { title: string; text: string; action: string; label: string },
): void {
  const confirmation = renderConfirmation(context.session, {
    text,
    action: `${keyPath(key.id)}/${action}`,
    label,
    cancelPath: keyPath(key.id),
    isDangerous: true,
  });
  sendAdminPage(context, { title, main: html`${renderDetails(keyDetails(key))}${confirmation}` });
}

function sendLimitsForm(context: AdminContext, key: KeyRecord, fields: LimitFields, errors: FormErrors): void {
  const confirmation = renderConfirmation(context.session, {
    text: 'Takes effect at the next request. The requests that the key has made still count.',
    action: `${keyPath(key.id)}/allow`,
    label: 'Change it',
    cancelPath: keyPath(key.id),
    fields: limitFields.render(fields, errors),
  });
  sendAdminPage(context, {
    title: `How many requests for ${key.name}?`,
    errors,
    status: hasErrors(errors) ? 422 : 200,
    main: html`${renderDetails(keyDetails(key))}${confirmation}`,
  });
}
