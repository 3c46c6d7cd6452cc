/** The variable that says `1` where the programs in `out` are built from the sources of this checkout. */
export const BUILT = 'LINKSHOT_TEST_BUILT';
