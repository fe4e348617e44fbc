/** Prerendered to files: the least that Next sends. */
export default { output: 'export', turbopack: { root: import.meta.dirname } }
