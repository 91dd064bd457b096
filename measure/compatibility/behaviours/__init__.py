"""The behaviours, one module a topic, each with its `BEHAVIOURS`.

May not say how a build is started, or read another behaviour's answer.
"""
