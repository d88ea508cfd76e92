import type { KeyRequest } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { AdminContext, AdminRouteOptions } from './admin-route';
import { sendAdminNotFound } from './missing';

type ShowRequest = (visit: AdminContext, request: KeyRequest) => void | Promise<void>;

/**
 * Shows what needs a request that is there, and of this deployment's environment: the mail about it carries the address of the deployment
 * that decides, and a key of the other environment is refused there.
 */
export const createWithKeyRequest =
  ({ keys, environment }: AdminRouteOptions) =>
  (show: ShowRequest) =>
  async (visit: AdminContext): Promise<void> => {
    let request;
    try {
      request = await keys.showRequest(visit.id);
      if (request.environment !== environment)
        throw new KeyRequestError(
          `This is a request for a ${request.environment} key: decide on it where those are given out.`,
        );
    } catch (error) {
      if (!(error instanceof KeyRequestError)) throw error;
      sendAdminNotFound(visit, error);
      return;
    }
    await show(visit, request);
  };
