//! Quantities as CEL values, with upstream's side effects.
//!
//! Upstream works on pointers: comparing an integer form with a decimal form turns the receiver
//! into the decimal form for the rest of the evaluation, and up to 1.36 `add` and `sub` change a
//! receiver that is in decimal form. The side effects end with the evaluation.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use crate::quantity::{Amount, Decimal, Format, Quantity};

/// A quantity that other values may share.
#[derive(Debug)]
pub struct QuantityValue {
    format: Format,
    text: Option<Box<str>>,
    form: RefCell<Form>,
    /// Whether `add` or `sub` made it; equality does not know such values on its right side.
    result: bool,
}

#[derive(Clone, Debug)]
enum Form {
    Int { value: i64, scale: i32 },
    Dec(Rc<RefCell<Decimal>>),
}

/// How to take back a side effect.
#[derive(Debug)]
pub(crate) enum Undo {
    Form(Rc<QuantityValue>, i64, i32),
    Number(Rc<RefCell<Decimal>>, Decimal),
}

impl Undo {
    pub(crate) fn apply(self) {
        match self {
            Self::Form(quantity, value, scale) => {
                *quantity.form.borrow_mut() = Form::Int { value, scale };
            }
            Self::Number(number, former) => *number.borrow_mut() = former,
        }
    }
}

impl QuantityValue {
    pub(super) fn new(quantity: Quantity) -> Self {
        let form = match quantity.amount {
            Amount::Int { value, scale } => Form::Int { value, scale },
            Amount::Dec(dec) => Form::Dec(Rc::new(RefCell::new(dec))),
        };
        Self {
            format: quantity.format,
            text: quantity.text,
            form: RefCell::new(form),
            result: false,
        }
    }

    /// The quantity as it is now.
    pub fn get(&self) -> Quantity {
        Quantity { amount: self.amount(), format: self.format, text: self.text.clone() }
    }

    pub(crate) fn amount(&self) -> Amount {
        match &*self.form.borrow() {
            Form::Int { value, scale } => Amount::Int { value: *value, scale: *scale },
            Form::Dec(number) => Amount::Dec(number.borrow().clone()),
        }
    }

    pub(super) fn is_result(&self) -> bool {
        self.result
    }

    /// Whether two quantities are equal; `None` when upstream does not recognize the right one.
    pub(crate) fn equals(&self, other: &Self) -> Option<bool> {
        if other.result {
            return None;
        }
        Some(self.amount().compare(&other.amount()) == Ordering::Equal)
    }

    /// Compares, with the side effect on the receiver.
    pub(crate) fn compare(self: &Rc<Self>, other: &Self, undo: &mut Vec<Undo>) -> Ordering {
        let order = self.amount().compare(&other.amount());
        let mine = self.form.borrow().clone();
        let with_decimal = matches!(&*other.form.borrow(), Form::Dec(_));
        if let (true, Form::Int { value, scale }) = (with_decimal, mine) {
            undo.push(Undo::Form(self.clone(), value, scale));
            let number = Amount::Int { value, scale }.to_decimal();
            *self.form.borrow_mut() = Form::Dec(Rc::new(RefCell::new(number)));
        }
        order
    }

    /// The sum or difference; up to 1.36 (`mutates`) a receiver in decimal form becomes it too.
    pub(crate) fn add(
        &self,
        other: &Quantity,
        subtract: bool,
        mutates: bool,
        undo: &mut Vec<Undo>,
    ) -> Self {
        let before = self.get();
        let after = if subtract { before.sub(other) } else { before.add(other) };
        let form = match (&*self.form.borrow(), after.amount) {
            (Form::Dec(number), Amount::Dec(sum)) if mutates => {
                undo.push(Undo::Number(number.clone(), number.borrow().clone()));
                *number.borrow_mut() = sum;
                Form::Dec(number.clone())
            }
            (_, Amount::Dec(sum)) => Form::Dec(Rc::new(RefCell::new(sum))),
            (_, Amount::Int { value, scale }) => Form::Int { value, scale },
        };
        Self { format: after.format, text: None, form: RefCell::new(form), result: true }
    }
}
