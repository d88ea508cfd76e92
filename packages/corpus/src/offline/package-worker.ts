import { runIndexBuilder } from '../build-indexes-in-worker-threads';
import { buildPackages } from './build-packages-of-translation';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
