//! Unification of types. Source: cel-go `checker/types.go`.

use std::rc::Rc;

use crate::types::{Param, Type};

/// What is known of type parameters.
#[derive(Debug, Default)]
pub(super) struct Unifier {
    fresh: Vec<Option<Type>>,
    declared: Vec<(u8, Type)>,
    /// Former values, so that a failed attempt can be undone.
    trail: Vec<(Param, Option<Type>)>,
}

impl Unifier {
    /// A new variable.
    pub(super) fn fresh(&mut self) -> Type {
        self.fresh.push(None);
        Type::Param(Param::Fresh(u32::try_from(self.fresh.len() - 1).unwrap_or(u32::MAX)))
    }

    /// Whether the types fit; if so, what that says of parameters is kept.
    pub(super) fn assignable(&mut self, a: &Type, b: &Type) -> bool {
        self.attempt(|unifier| unifier.fits(a, b))
    }

    /// Whether the types fit pairwise.
    pub(super) fn all_assignable(&mut self, a: &[Type], b: &[Type]) -> bool {
        self.attempt(|unifier| unifier.all_fit(a, b))
    }

    fn attempt(&mut self, body: impl FnOnce(&mut Self) -> bool) -> bool {
        self.trail.clear();
        let fits = body(self);
        if !fits {
            while let Some((param, former)) = self.trail.pop() {
                self.put(param, former);
            }
        }
        fits
    }

    fn find(&self, ty: &Type) -> Option<&Type> {
        match ty {
            Type::Param(Param::Fresh(number)) => self.fresh.get(*number as usize)?.as_ref(),
            Type::Param(Param::Declared(letter)) => {
                self.declared.iter().find(|(known, _)| known == letter).map(|(_, ty)| ty)
            }
            _ => None,
        }
    }

    fn add(&mut self, param: &Type, ty: Type) {
        let former = self.find(param).cloned();
        if let Type::Param(param) = param {
            self.trail.push((*param, former));
            self.put(*param, Some(ty));
        }
    }

    fn put(&mut self, param: Param, value: Option<Type>) {
        match param {
            Param::Fresh(number) => {
                if let Some(slot) = self.fresh.get_mut(number as usize) {
                    *slot = value;
                }
            }
            Param::Declared(letter) => {
                self.declared.retain(|(known, _)| *known != letter);
                self.declared.extend(value.map(|ty| (letter, ty)));
            }
        }
    }

    fn all_fit(&mut self, a: &[Type], b: &[Type]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.fits(a, b))
    }

    fn fits(&mut self, a: &Type, b: &Type) -> bool {
        if matches!(b, Type::Param(_)) {
            let (valid, known) = self.substitution(a, b);
            if valid || known {
                return valid;
            }
        }
        if matches!(a, Type::Param(_)) {
            return self.substitution(b, a).0;
        }
        if a.is_dyn_or_error() || b.is_dyn_or_error() {
            return true;
        }
        match (a.unwrapped(), b.unwrapped()) {
            (Type::Null, _) => accepts_null(b),
            (_, Type::Null) => accepts_null(a),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(a), Type::List(b)) => self.fits(a, b),
            (Type::Map(a), Type::Map(b)) => self.fits(&a.0, &b.0) && self.fits(&a.1, &b.1),
            (Type::Opaque(a), Type::Opaque(b)) => a.0 == b.0 && self.all_fit(&a.1, &b.1),
            (a, b) => a == b,
        }
    }

    /// Whether `ty` can stand for `param`, and whether something already does.
    fn substitution(&mut self, ty: &Type, param: &Type) -> (bool, bool) {
        if ty == param {
            return (true, true);
        }
        if let Some(known) = self.find(param).cloned() {
            if *ty.unwrapped() == *known.unwrapped() {
                return (true, true);
            }
            if self.fits(ty, &known) {
                let general = most_general(ty, &known).clone();
                if self.is_free_of(param, &general) {
                    self.add(param, general);
                }
                return (true, true);
            }
            return (false, true);
        }
        if self.is_free_of(param, ty) {
            self.add(param, ty.clone());
            return (true, false);
        }
        (false, false)
    }

    /// Whether the parameter does not occur in the type.
    fn is_free_of(&self, param: &Type, ty: &Type) -> bool {
        if ty == param {
            return false;
        }
        match ty {
            Type::Param(_) => self.find(ty).is_none_or(|known| self.is_free_of(param, known)),
            Type::List(element) => self.is_free_of(param, element),
            Type::Map(entry) => {
                self.is_free_of(param, &entry.0) && self.is_free_of(param, &entry.1)
            }
            Type::Opaque(opaque) => opaque.1.iter().all(|ty| self.is_free_of(param, ty)),
            Type::Type(Some(inner)) => self.is_free_of(param, inner),
            _ => true,
        }
    }

    /// The type with what is known filled in; `None` when nothing changes. Unknown parameters
    /// become `dyn` when `to_dyn`.
    pub(super) fn resolve(&self, ty: &Type, to_dyn: bool) -> Option<Type> {
        match ty {
            Type::Param(_) => match self.find(ty) {
                Some(known) => Some(self.resolve(known, to_dyn).unwrap_or_else(|| known.clone())),
                None => to_dyn.then_some(Type::Dyn),
            },
            Type::List(element) => self.resolve(element, to_dyn).map(Type::list),
            Type::Map(entry) => {
                let key = self.resolve(&entry.0, to_dyn);
                let value = self.resolve(&entry.1, to_dyn);
                if key.is_none() && value.is_none() {
                    return None;
                }
                let key = key.unwrap_or_else(|| entry.0.clone());
                Some(Type::map(key, value.unwrap_or_else(|| entry.1.clone())))
            }
            Type::Opaque(opaque) => {
                let params: Vec<_> = opaque.1.iter().map(|ty| self.resolve(ty, to_dyn)).collect();
                if params.iter().all(Option::is_none) {
                    return None;
                }
                let params = params.into_iter().zip(&opaque.1);
                let params = params.map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect();
                Some(Type::opaque(opaque.0, params))
            }
            Type::Type(Some(inner)) => {
                self.resolve(inner, to_dyn).map(|ty| Type::Type(Some(Rc::new(ty))))
            }
            _ => None,
        }
    }
}

fn accepts_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Null
            | Type::Opaque(_)
            | Type::Struct(_)
            | Type::Timestamp
            | Type::Duration
            | Type::Wrapper(_)
    )
}

/// The less specific of two types that fit.
pub(super) fn most_general<'a>(a: &'a Type, b: &'a Type) -> &'a Type {
    if is_equal_or_less_specific(a, b) { a } else { b }
}

fn is_equal_or_less_specific(a: &Type, b: &Type) -> bool {
    if a.is_dyn() || matches!(a, Type::Param(_)) {
        return true;
    }
    if b.is_dyn() || matches!(b, Type::Param(_)) {
        return false;
    }
    match (a, b) {
        (Type::Opaque(a), Type::Opaque(b)) => {
            let pairs = a.1.iter().zip(&b.1);
            a.0 == b.0
                && a.1.len() == b.1.len()
                && pairs.into_iter().all(|(a, b)| is_equal_or_less_specific(a, b))
        }
        (Type::List(a), Type::List(b)) => is_equal_or_less_specific(a, b),
        (Type::Map(a), Type::Map(b)) => {
            is_equal_or_less_specific(&a.0, &b.0) && is_equal_or_less_specific(&a.1, &b.1)
        }
        (Type::Type(_), Type::Type(_)) => true,
        _ => a.unwrapped() == b.unwrapped(),
    }
}
