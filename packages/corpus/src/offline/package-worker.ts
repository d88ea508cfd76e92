import { runIndexBuilder } from '../build-indexes';
import { buildPackages } from './build-packages-of-translation';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
