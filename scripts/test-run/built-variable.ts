/**
 * The environment variable that is `1` for tests if the programs in `out` are built from the current sources, as in
 * `npm test`.
 */
export const BUILT = 'LINKSHOT_TEST_BUILT';
