import { runIndexBuilder } from '../build-indexes';
import { buildPackages } from './build-packages';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
