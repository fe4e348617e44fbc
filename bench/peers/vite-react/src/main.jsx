import { createRoot } from 'react-dom/client'
import { Screen } from '../given/Screen.jsx'
import screens from '../given/screens.json'
import '../given/screen.css'

// One page for every address, as single-page apps have it; the address says which screen.
const word = location.pathname.slice(1)
createRoot(document.getElementById('root')).render(<Screen screen={screens[word]} />)
