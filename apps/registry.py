"""All applications, by name."""

from __future__ import annotations

from apps import blur, camera_pipe, harris, unsharp
from apps.app import App

APPS: dict[str, App] = {app.name: app for app in (blur.APP, unsharp.APP, harris.APP, camera_pipe.APP)}
