import { runIndexBuilder } from '../build-indexes';
import { buildPackages } from './package-file';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
