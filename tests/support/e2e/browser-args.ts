import { CHROMIUM_ARGS } from '../chromium.ts'

/** What the runner switches off itself: of two such lists, the browser takes the last. */
const SWITCHED_OFF_BY_THE_RUNNER = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * The address bar's own two pages. Nobody sees them here, and they take half of what a navigation takes: the browser
 * loads both with every window, and tells them of every address.
 */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What the browser of the tests starts with. */
export const BROWSER_ARGS = [
  ...CHROMIUM_ARGS,
  // Letters as wide as in a window: without windows it would round each to whole pixels.
  '--font-render-hinting=none',
  `--disable-features=${[...SWITCHED_OFF_BY_THE_RUNNER, ...ADDRESS_BAR_PAGES].join(',')}`,
]
