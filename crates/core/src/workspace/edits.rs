//! Changes of the text that buttons make, as edits that an editor can apply and undo.
