import type { QueryPlannerConfig } from '@apollo/query-planner';

/** The options of the planner that differ from its defaults, in the main thread and in the planner thread. */
export const plannerConfig = {
  /**
   * Whether planned requests to subgraphs spread the fragments of the client's document. With true,
   * the planner expands each fragment and looks for the fragments in each selection set: planning a
   * verse in a chain of 590 fragments took 280 ms. With false it takes 4 ms.
   */
  reuseQueryFragments: false,
  debug: {
    /**
     * The maximum number of plans of one operation that the planner compares. Several subgraphs
     * resolve the shareable fields of a verse, so the number of possible plans doubles with each list
     * of verses. Planning an operation with 180 fetches took 130 to 170 ms with a maximum of 100, and
     * takes 35 to 55 ms with 4. Both plans had the same number of fetches.
     */
    maxEvaluatedPlans: 4,
  },
} satisfies QueryPlannerConfig;
