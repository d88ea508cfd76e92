import { runIndexBuilder } from '../build-missing-or-stale-indexes';
import { buildPackages } from './build-package-per-schema-version';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
