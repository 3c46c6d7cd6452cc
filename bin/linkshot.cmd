@echo off
rem The command line of a packed Linkshot, for cmd and PowerShell: its program carries a line out, without a window.
setlocal
"%~dp0..\..\Linkshot.exe" --command-line -- %*
exit /b %errorlevel%
