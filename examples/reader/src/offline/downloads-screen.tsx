import type { VNode } from 'preact';
import type { Translation } from '../api';
import { AsyncData } from '../components/async-data';
import { Name } from '../components/translation-text';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';
import { formatBytes } from './format-bytes';
import type { OfferedPackage } from './offered-packages';
import { isOfflineError } from './offline-error-messages';
import type { OfflineLibrary } from './offline-library';
import type { StoredPackage } from './package-store';
import { useChangeEvent } from './use-change-event';

/** `/downloads`: all translations, with buttons to store them on this device and to remove them. */
export function DownloadsScreen(): VNode {
  const { api, settings, translations, library, connection } = useReader();
  useTitle('Downloads');
  useChangeEvent(library.changes);
  useChangeEvent(connection.changes);
  const isLost = connection.isLost();
  const offers = useData(
    async (signal) => (isLost ? new Map<string, OfferedPackage>() : api.offeredPackages(signal)),
    [api, isLost],
  );
  const stored = library.stored();
  if (stored.kind === 'unavailable') return <Unavailable error={stored.error} />;
  const packages = stored.kind === 'loaded' ? stored.packages : [];
  const listed = translations.length > 0 ? translations : packages.map(({ translation }) => translation);
  const offerOf = (identifier: string): OfferedPackage | undefined => {
    const offer = offers.kind === 'loaded' ? offers.value.get(identifier) : undefined;
    // The URL of a package may be relative to the service's URL, and the service's URL relative to
    // the page.
    return offer && { ...offer, url: new URL(offer.url, new URL(settings.url, location.href)).href };
  };
  return (
    <>
      <h1>Downloads</h1>
      <p>You can read and search a translation on this device without a network.</p>
      <AsyncData data={offers}>{() => null}</AsyncData>
      <ul class="downloads">
        {listed.map((translation) => (
          <Download
            key={translation.identifier}
            translation={translation}
            stored={packages.find((each) => each.translation.identifier === translation.identifier)}
            offer={offerOf(translation.identifier)}
          />
        ))}
      </ul>
    </>
  );
}

const Unavailable = ({ error }: { error: unknown }): VNode => (
  <>
    <h1>Downloads</h1>
    <p role="alert" class="failure">
      {messageOf(error)}
    </p>
  </>
);

interface DownloadProps {
  readonly translation: Translation;
  readonly stored: StoredPackage | undefined;
  /**
   * Undefined until the service has sent its packages, while the service cannot be reached, and if
   * the translation has no package.
   */
  readonly offer: OfferedPackage | undefined;
}

function Download({ translation, stored, offer }: DownloadProps): VNode {
  const { library } = useReader();
  const { identifier, name, language, languageName, licence } = translation;
  const activity = library.activityOf(identifier);
  const titleId = `download-${identifier}`;
  return (
    <li aria-labelledby={titleId}>
      <h2 id={titleId}>
        <Name text={name} language={language} />
      </h2>
      <p class="hint">
        {languageName}. {licence.attribution}
      </p>
      <p>{statusText(translation, stored, offer)}</p>
      {activity?.kind === 'failed' && (
        <p role="alert" class="failure">
          {messageOf(activity.error)}
        </p>
      )}
      {activity?.kind === 'downloading' ? (
        <p class="download-progress">
          <progress aria-labelledby={titleId} max={activity.totalBytes} value={activity.receivedBytes} />
          <span>
            {formatBytes(activity.receivedBytes)} of {formatBytes(activity.totalBytes)}
          </span>
          <button type="button" onClick={() => library.cancel(identifier)} aria-describedby={titleId}>
            Cancel
          </button>
        </p>
      ) : (
        <Buttons translation={translation} stored={stored} offer={offer} library={library} describedBy={titleId} />
      )}
    </li>
  );
}

function Buttons({
  translation,
  stored,
  offer,
  library,
  describedBy,
}: DownloadProps & { library: OfflineLibrary; describedBy: string }): VNode {
  const hasNewer = offer !== undefined && offer.sha256 !== stored?.offer.sha256;
  const download = () => offer && void library.add(translation, offer);
  return (
    <p class="download-buttons">
      {hasNewer && (
        <button type="button" onClick={download} aria-describedby={describedBy}>
          {library.canContinue(offer) ? 'Continue' : stored ? 'Update' : 'Download for offline use'} (
          {formatBytes(offer.sizeBytes)})
        </button>
      )}
      {stored && (
        <button
          type="button"
          onClick={() => void library.remove(translation.identifier)}
          aria-describedby={describedBy}
        >
          Remove from this device
        </button>
      )}
    </p>
  );
}

function statusText(
  { offlineDownloadable }: Translation,
  stored: StoredPackage | undefined,
  offer: OfferedPackage | undefined,
): string {
  if (stored && offer && offer.sha256 !== stored.offer.sha256)
    return `On this device, ${sizeAndDate(stored.offer)}. There is a newer package, ${sizeAndDate(offer)}.`;
  if (stored) return `On this device, ${sizeAndDate(stored.offer)}.`;
  if (!offlineDownloadable) return 'The service does not offer this translation as a download.';
  return 'Not on this device.';
}

const sizeAndDate = ({ sizeBytes, updatedAt }: OfferedPackage): string =>
  `${formatBytes(sizeBytes)}, made on ${new Date(updatedAt).toLocaleDateString()}`;

const messageOf = (error: unknown): string =>
  isOfflineError(error) ? error.message : `The download failed: ${String(error)}.`;
