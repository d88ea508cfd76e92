import { runIndexBuilder } from '../indexes';
import { buildPackages } from './package';

// The worker thread of `buildOfflinePackages`.
runIndexBuilder(buildPackages);
