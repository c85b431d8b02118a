import { render } from 'preact';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { App } from './App.tsx';
import { loadSession } from './kit/session.ts';
import { takeSignInLink } from './signInLink.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
void takeSignInLink().finally(loadSession);
