import { createRoot } from 'react-dom/client';
import { Explorer } from './explorer';
import { provideWorkers } from './workers';
import './explorer.css';

const place = document.getElementById('explorer');
if (!place) throw new Error('The page has no element with the id "explorer".');
provideWorkers();
createRoot(place).render(<Explorer wide={window.matchMedia('(min-width: 64rem)').matches} />);
