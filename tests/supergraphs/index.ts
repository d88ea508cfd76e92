import { abstractMembers } from './abstract-members';
import { aliases } from './aliases';
import { conditions } from './conditions';
import { customScalars } from './custom-scalars';
import { entityErrors } from './entity-errors';
import { entityInterfaces } from './entity-interfaces';
import type { SupergraphFixture } from './fixture';
import { inaccessible } from './inaccessible';
import { interfaceObjects } from './interface-objects';
import { introspected } from './introspected';
import { mashedKeys } from './mashed-keys';
import { narrowEnums } from './narrow-enums';
import { nestedLists } from './nested-lists';
import { nullPropagation } from './null-propagation';
import { orderedMutations } from './ordered-mutations';
import { overrides } from './overrides';
import { progressiveOverrides } from './progressive-overrides';
import { provides } from './provides';
import { repeatedEntities } from './repeated-entities';
import { requires } from './requires';
import { sharedRoots } from './shared-roots';
import { variables } from './variables';

export const supergraphs: readonly SupergraphFixture[] = [
  abstractMembers,
  aliases,
  conditions,
  customScalars,
  entityErrors,
  entityInterfaces,
  inaccessible,
  interfaceObjects,
  introspected,
  mashedKeys,
  narrowEnums,
  nestedLists,
  nullPropagation,
  orderedMutations,
  overrides,
  progressiveOverrides,
  provides,
  repeatedEntities,
  requires,
  sharedRoots,
  variables,
];
