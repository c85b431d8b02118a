"""The client of the reliability score service."""
from .client import Client as Client
from .error_codes import *
from .errors import ReliabilityConnectionError as ReliabilityConnectionError
from .errors import ReliabilityError as ReliabilityError
from .errors import WebhookVerificationError as WebhookVerificationError
from .webhooks import verify_webhook as verify_webhook
