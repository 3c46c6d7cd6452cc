; Stands in "Open with" for pictures and videos, and never becomes what opens them by itself.
!define LINKSHOT_APPLICATION "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"

; Where the app keeps what Windows had (src/engine/hotkeys/snipping-tool.ts).
!define LINKSHOT_EARLIER "Software\Linkshot\SnippingTool"
!define LINKSHOT_PRINT_SCREEN "PrintScreenKeyForSnippingEnabled"

!macro linkshotOpens EXTENSION
  WriteRegStr SHELL_CONTEXT "${LINKSHOT_APPLICATION}\SupportedTypes" ".${EXTENSION}" ""
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "${LINKSHOT_APPLICATION}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "${LINKSHOT_APPLICATION}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro linkshotOpens png
  !insertmacro linkshotOpens jpg
  !insertmacro linkshotOpens jpeg
  !insertmacro linkshotOpens gif
  !insertmacro linkshotOpens webp
  !insertmacro linkshotOpens mp4
  !insertmacro linkshotOpens mov
  !insertmacro linkshotOpens webm
  ; The program itself changes the PATH: it knows all its letters and any length, and tells running programs.
  ${ifNot} ${isUpdated}
    StrCpy $0 "Add the linkshot command to your PATH, for terminals?$\r$\nYou can change this in the settings."
    ${if} $LANGUAGE == 1049
      StrCpy $0 "Добавить команду linkshot в PATH, чтобы она работала в терминалах?$\r$\nЭто можно изменить в настройках."
    ${endIf}
    MessageBox MB_YESNO|MB_ICONQUESTION "$0" /SD IDNO IDNO linkshotPathDone
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --add-to-path'
    linkshotPathDone:
  ${endIf}
!macroend

; What the app has claimed for itself goes with it; an update is no farewell.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --remove-from-path'
    DeleteRegKey SHELL_CONTEXT "${LINKSHOT_APPLICATION}"
    DeleteRegKey HKCU "Software\Classes\linkshot"
    DeleteRegKey HKCU "Software\Classes\*\shell\Linkshot"
    DeleteRegKey HKCU "Software\Classes\Directory\shell\Linkshot"
    Delete "$SENDTO\Linkshot.lnk"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    ; The Print Screen key goes back to the Snipping Tool, unless the user has changed that since.
    ClearErrors
    ReadRegStr $0 HKCU "${LINKSHOT_EARLIER}" ""
    ${ifNot} ${Errors}
      ReadRegDWORD $0 HKCU "Control Panel\Keyboard" "${LINKSHOT_PRINT_SCREEN}"
      ${if} $0 == "0"
        ReadRegDWORD $0 HKCU "${LINKSHOT_EARLIER}" "${LINKSHOT_PRINT_SCREEN}"
        ${if} ${Errors}
          DeleteRegValue HKCU "Control Panel\Keyboard" "${LINKSHOT_PRINT_SCREEN}"
        ${else}
          WriteRegDWORD HKCU "Control Panel\Keyboard" "${LINKSHOT_PRINT_SCREEN}" $0
        ${endIf}
      ${endIf}
    ${endIf}
    DeleteRegKey HKCU "Software\Linkshot"
  ${endIf}
!macroend
