//! A state in a few words: where each variable leads, list by list.

use crate::show::{Form, Picture, Shape, Value};

/// Links of one chain that are followed.
const LONGEST: usize = 12;

/// `head → SLL 2+ → null`, a line for each variable that points to an object.
pub fn outline(picture: &Picture) -> Vec<String> {
    let registers = picture.frames.iter().flat_map(|frame| &frame.variables).map(|row| (row.label.clone(), &row.value));
    let named = |shape: &&Shape| shape.storage != crate::show::Storage::Heap && shape.inside.is_none();
    let memory = picture.shapes.iter().filter(named).flat_map(|shape| {
        shape.rows.iter().map(move |row| {
            let whole = shape.rows.len() == 1 && row.label == "+0";
            let place = if whole {
                shape.name.clone()
            } else {
                format!("{}{}{}", shape.name, if row.label.starts_with('+') { "" } else { "." }, row.label)
            };
            (place, &row.value)
        })
    });
    let pointers = registers.chain(memory).filter(|(_, value)| matches!(value, Value::Pointer { .. }));
    pointers.map(|(name, value)| name + &chain(picture, value)).collect()
}

/// ` → SLL 2+ → null`.
fn chain(picture: &Picture, start: &Value) -> String {
    let mut text = String::new();
    let mut visited: Vec<usize> = Vec::new();
    let mut value = start;
    loop {
        text += " → ";
        let Value::Pointer { to, offset } = value else {
            text += &word(value);
            return text;
        };
        let Some(shape) = picture.shapes.get(to.shape) else { return text };
        text += &title(shape);
        text += offset;
        if to.end.index > 0 {
            text += &format!(" ({})", to.end.name);
        }
        if visited.contains(&to.shape) {
            text += " (again)";
            return text;
        }
        if visited.len() == LONGEST {
            text += " …";
            return text;
        }
        visited.push(to.shape);
        let follow = match &shape.form {
            Form::Nodes(nodes) => nodes.onward(to.end),
            Form::Object | Form::Optional(_) => onward(shape, &visited),
        };
        match follow {
            Some(next) if shape.valid => value = next,
            _ => return text,
        }
    }
}

/// The first pointer of `shape` that leads somewhere new, otherwise a null one.
fn onward<'a>(shape: &'a Shape, visited: &[usize]) -> Option<&'a Value> {
    let mut values = shape.rows.iter().map(|row| &row.value);
    let is_new = |value: &&Value| matches!(value, Value::Pointer { to, .. } if !visited.contains(&to.shape));
    let new = values.clone().find(is_new);
    new.or_else(|| values.clone().find(|value| **value == Value::Null))
        .or_else(|| values.find(|value| matches!(value, Value::Pointer { .. })))
}

fn title(shape: &Shape) -> String {
    match &shape.form {
        Form::Nodes(nodes) => nodes.title.clone(),
        _ if !shape.valid => "freed".into(),
        Form::Object if shape.storage == crate::show::Storage::Heap => format!("[{}]", shape.size),
        Form::Object => shape.name.clone(),
        Form::Optional(_) => format!("[{}]?", shape.size),
    }
}

/// A value without its arrow.
pub fn word(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Null => "null".into(),
        Value::Unknown => "?".into(),
        Value::Pointer { to, offset } => {
            let space = if to.end.name.is_empty() { "" } else { " " };
            format!("o{}{space}{}{offset}", to.shape, to.end.name)
        }
    }
}
