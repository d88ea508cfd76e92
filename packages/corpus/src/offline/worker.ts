import { runIndexBuilder } from '../indexes';
import { buildPackages } from './build-package-per-schema-version';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
